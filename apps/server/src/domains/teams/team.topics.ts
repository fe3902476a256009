import type { Topic } from '../../http/push.ts'

/** What changed in a team itself, and in the list of all of them; see topics.team and topics.teams of the contract. */
export const topics: Topic[] = [
  { pattern: 'team/:teamId', access: { team: 'teamId' } },
  { pattern: 'teams', access: 'admin' },
]
