import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import type { Overview } from '@gantry/contract/dashboard/overview'
import { holds } from '../../identity/access.ts'
import type { Ctx } from '../../kernel/context.ts'
import { countPipelines, countServices, countStacks, readBuilds } from './overview.read.ts'

/** Each part is included only if the caller may view the objects that it counts. */
export async function readOverview(ctx: Ctx, teamId: number): Promise<Overview> {
  const ifPermitted = async <T>(
    permission: PermissionKey,
    part: (db: Ctx['db'], teamId: number) => Promise<T>,
  ): Promise<T | null> => ((await holds(ctx, teamId, permission)) ? part(ctx.db, teamId) : null)
  const [pipelines, builds, stacks, services] = await Promise.all([
    ifPermitted('pipeline_pipeline_view', countPipelines),
    ifPermitted('pipeline_build_view', readBuilds),
    ifPermitted('stack_stack_view', countStacks),
    ifPermitted('stack_service_view', countServices),
  ])
  return { pipelines, builds, stacks, services }
}
