import { visibleTeams } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { usesOf, type UseRow } from './uses.read.ts'
import { type Home, names, pathsOf, serviceOf, userOf, type Visible } from './uses.ts'

/** Whatever runs an image of the repository, or can go back to one; of every team. */
export const usesOfRepository = async (ctx: Ctx, home: Home, repository: string): Promise<UseRow[]> =>
  (await usesOf(ctx.db, pathsOf(home, repository))).filter((use) => names(use, home, repository))

/** Where no single team is looked at: who may see a team's services is told their names. */
export async function visibleAnywhere(ctx: Ctx): Promise<Visible> {
  const teams = await visibleTeams({ ...ctx, tenantId: undefined }, 'stack_service_view')
  return (use) => teams === undefined || teams.includes(use.teamId)
}

/** Why an image that is used so stays; undefined where nothing keeps it. */
export function keptBy(image: string, uses: readonly UseRow[], visible: Visible): Fault | undefined {
  const named = [...new Set(uses.filter(visible).map(serviceOf))].sort(compareNames)
  const others = new Set(uses.filter((use) => !visible(use)).map(userOf)).size
  if (named.length === 0 && others === 0) return undefined
  const kind = named.length === 0 ? 'images-tag-used-by-others' : 'images-tag-used'
  const both = named.length > 0 && others > 0 ? 'images-tag-used-and-by-others' : kind
  return new Fault('conflict', both, { image, services: named.join(', '), count: others })
}
