import { hint } from '../topic.ts'

/** The permissions or teams of one user changed. */
export const userTopic = hint({
  path: 'user/:userId',
  access: { self: 'userId' },
})

/** The list of all users. */
export const usersTopic = hint({
  path: 'users',
  access: { system: 'system_user_view' },
})
