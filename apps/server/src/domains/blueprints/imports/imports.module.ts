import { imports } from '@gantry/contract/blueprints/imports'
import { defineModule } from '../../../module.ts'
import { checkImport, importText } from './imports.service.ts'

export const module = defineModule({
  routes(route) {
    route(imports.check, (ctx, { params, body }) => checkImport(ctx, params, body))
    route(imports.create, (ctx, { params, body }) => importText(ctx, params, body))
  },
})
