import type { Owned } from './owned.ts'
import { applyMappings, type MappedTeam } from './mapped.service.ts'
import { createTeam } from './teams.service.ts'

/** What other domains may call; and what a domain exports as `owned` in an `*.owned.ts` whose things keep a team alive. */
export { applyMappings, createTeam, type MappedTeam, type Owned }
