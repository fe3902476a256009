import type { GroupMapping } from '@gantry/contract/teams/group-mapping'
import type { Db } from '../../../db/tables.gen.ts'

/** The missing part of a mapping: the team, or the role in it. */
export async function missingOf(db: Db, mappings: GroupMapping[]): Promise<('team' | 'role' | undefined)[]> {
  if (mappings.length === 0) return []
  const teamIds = [...new Set(mappings.map(({ teamId }) => teamId))]
  const teams = await db.selectFrom('team').select('id').where('id', 'in', teamIds).execute()
  const roles = await db.selectFrom('team_role').select(['id', 'team_id']).where('team_id', 'in', teamIds).execute()
  return mappings.map(({ teamId, roleId }) => {
    if (!teams.some(({ id }) => id === teamId)) return 'team'
    const named = roleId !== null && roleId !== 0
    return named && !roles.some((role) => role.id === roleId && role.team_id === teamId) ? 'role' : undefined
  })
}
