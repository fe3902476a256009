import { visibleTeams } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { usesOf, type UseRow } from './uses.read.ts'
import { type Home, names, pathsOf, serviceOf, userOf, type Visible } from './uses.ts'

/** Everything, of every team, that runs an image of the repository or could roll back to one. */
export const usesOfRepository = async (ctx: Ctx, home: Home, repository: string): Promise<UseRow[]> =>
  (await usesOf(ctx.db, pathsOf(home, repository))).filter((use) => names(use, home, repository))

/** For calls that name no team: uses are visible to users who may see the services of their team. */
export async function visibleAnywhere(ctx: Ctx): Promise<Visible> {
  const teams = await visibleTeams({ ...ctx, tenantId: undefined }, 'stack_service_view')
  return (use) => teams === undefined || teams.includes(use.teamId)
}

/** Why an image with these uses is kept; undefined if there are none. */
export function keptBy(image: string, uses: readonly UseRow[], visible: Visible): Fault | undefined {
  const named = [...new Set(uses.filter(visible).map(serviceOf))].sort(compareNames)
  const others = new Set(uses.filter((use) => !visible(use)).map(userOf)).size
  if (named.length === 0 && others === 0) return undefined
  const kind = named.length === 0 ? 'images-tag-used-by-others' : 'images-tag-used'
  const both = named.length > 0 && others > 0 ? 'images-tag-used-and-by-others' : kind
  return new Fault('conflict', both, { image, services: named.join(', '), count: others })
}
