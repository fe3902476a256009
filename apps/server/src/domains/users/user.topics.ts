import type { Topic } from '../../http/push.ts'

/** What is addressed to one user, and the list of all users; see topics.user and topics.users of the contract. */
export const topics: Topic[] = [
  { pattern: 'user/:id', access: { self: 'id' } },
  { pattern: 'users', access: { system: 'system_user_view' } },
]
