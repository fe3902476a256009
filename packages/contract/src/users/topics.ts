import { hint } from '../topic.ts'

/** A user's permissions, teams, name or picture changed. */
export const userTopic = hint({
  path: 'user/:userId',
  access: { self: 'userId' },
})

/** The list of all users, and their system roles. */
export const usersTopic = hint({
  path: 'users',
  access: { system: 'system_user_view', or: 'system_role_view' },
})
