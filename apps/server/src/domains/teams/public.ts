import type { Owned } from './owned.ts'
import { leaveTeams } from './leaving.service.ts'
import { applyMappings, type MappedTeam } from './mapped.service.ts'
import { mappingProblem } from './mappings.service.ts'
import { joinTeam } from './members.service.ts'
import { teamsByName } from './teams.read.ts'
import { createTeam } from './teams.service.ts'
import { tellTeamsOf } from './told.ts'

/** What other domains may call; and what a domain exports as `owned` in an `*.owned.ts` whose things keep a team alive. */
export {
  applyMappings,
  createTeam,
  joinTeam,
  leaveTeams,
  type MappedTeam,
  mappingProblem,
  type Owned,
  teamsByName,
  tellTeamsOf,
}
