import { hint } from '../topic.ts'

/** What a user has set, and where the user is signed in. */
export const accountTopic = hint({ path: 'account/:userId', access: { self: 'userId' } })
