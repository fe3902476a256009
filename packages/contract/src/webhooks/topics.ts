import { hint } from '../topic.ts'

/** Something was tried to be told to a webhook, or a team's channel of alarms: it arrived, failed or is tried again. */
export const deliveriesTopic = hint({ path: 'webhook-deliveries', access: 'admin' })
