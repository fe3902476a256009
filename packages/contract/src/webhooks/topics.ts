import { hint } from '../topic.ts'

/** A message to a webhook or a team's alarm channel was delivered, failed or will be tried again. */
export const deliveriesTopic = hint({ path: 'webhook-deliveries', access: 'admin' })
