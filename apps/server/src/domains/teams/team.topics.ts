import type { Topic } from '../../http/push.ts'

/** What changed in a team itself; see topics.team of the contract. */
export const topics: Topic[] = [{ pattern: 'team/:teamId', access: { team: 'teamId' } }]
