import type { GroupMapping } from '@gantry/contract/teams/group-mapping'
import type { Ctx } from '../../../kernel/context.ts'
import { missingOf } from './mappings.read.ts'

/** The field and the words for the first mapping of a group to a team, or role in it, that is not there. */
export async function mappingProblem(ctx: Ctx, mappings: GroupMapping[]) {
  const missing = await missingOf(ctx.db, mappings)
  const at = missing.findIndex((what) => what !== undefined)
  if (at < 0) return undefined
  return missing[at] === 'team'
    ? ({ path: `mappings.${at}.teamId`, key: 'ldap-mapping-team' } as const)
    : ({ path: `mappings.${at}.roleId`, key: 'ldap-mapping-role' } as const)
}
