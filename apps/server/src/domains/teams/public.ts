import { leaveTeams } from './members/leaving.service.ts'
import { applyMappings, type MappedTeam } from './members/mapped.service.ts'
import { mappingProblem } from './members/mappings.service.ts'
import { joinTeam } from './members/members.service.ts'
import { teamsByName, teamsOf } from './teams/teams.read.ts'
import { createTeam } from './teams/teams.service.ts'
import { publishTeamsOf } from './teams/publish.ts'

/** What other domains may call. */
export {
  applyMappings,
  createTeam,
  joinTeam,
  leaveTeams,
  type MappedTeam,
  mappingProblem,
  teamsByName,
  teamsOf,
  publishTeamsOf,
}
