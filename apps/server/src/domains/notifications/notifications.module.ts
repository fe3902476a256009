import { notifications } from '@gantry/contract/notifications/notifications'
import { notificationsTopic } from '@gantry/contract/notifications/topics'
import { serve } from '../../http/push/sources.ts'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import { keepError, readAllOf, readNotifications } from './notifications.service.ts'

export const module = defineModule({
  routes(route) {
    route(notifications.list, (ctx, { query }) => readNotifications(ctx, page(query)))
    route(notifications.markRead, (ctx, { body }) => readAllOf(ctx, body.ids))
    route(notifications.keepError, (ctx, { body }) => keepError(ctx, body.text))
  },
  topics: [serve(notificationsTopic)],
})
