import type { GroupMapping } from '@gantry/contract/teams/group-mapping'
import type { Ctx } from '../../../kernel/context.ts'
import { missingOf } from './mappings.read.ts'

/** Field and message for the first mapping to a missing team, or to a missing role in it. */
export async function mappingProblem(ctx: Ctx, mappings: GroupMapping[]) {
  const missing = await missingOf(ctx.db, mappings)
  const at = missing.findIndex((what) => what !== undefined)
  if (at < 0) return undefined
  return missing[at] === 'team'
    ? ({ path: `mappings.${at}.teamId`, key: 'ldap-mapping-team' } as const)
    : ({ path: `mappings.${at}.roleId`, key: 'ldap-mapping-role' } as const)
}
