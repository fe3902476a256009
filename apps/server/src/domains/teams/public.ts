import { createTeam } from './teams.service.ts'

/** What other domains may call. A domain whose things keep a team from being deleted says so in an `*.owned.ts`: see owned.ts. */
export { createTeam }
