import { hint } from '../topic.ts'

/** A user's settings and logins. */
export const accountTopic = hint({ path: 'account/:userId', access: { self: 'userId' } })
