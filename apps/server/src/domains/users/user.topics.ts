import type { Topic } from '../../http/push.ts'

/** Messages addressed to one user; see topics.user of the contract. */
export const topics: Topic[] = [{ pattern: 'user/:id', access: { self: 'id' } }]
