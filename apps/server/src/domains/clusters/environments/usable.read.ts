import { type RawBuilder, sql } from 'kysely'

/**
 * Of an environment's row: it is assigned to this team, or it is the sandbox, which is every team's. The team is whatever its id
 * may be compared with: a value, a column, `any(…)`.
 */
export const usableBy = (team: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(environment.sandbox or exists (select from environment_team
    where environment_team.environment = environment.uuid and environment_team.team_id = ${team}))`
