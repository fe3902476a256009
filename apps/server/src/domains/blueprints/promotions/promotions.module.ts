import { promotions } from '@gantry/contract/blueprints/promotions'
import { defineModule } from '../../../module.ts'
import { checkPromotion, promoteStack, promotionSettings } from './promotions.service.ts'

export const module = defineModule({
  routes(route) {
    route(promotions.settings, (ctx, { params, query }) => promotionSettings(ctx, params, query))
    route(promotions.check, (ctx, { params, body }) => checkPromotion(ctx, params, body))
    route(promotions.promote, (ctx, { params, body }) => promoteStack(ctx, params, body))
  },
})
