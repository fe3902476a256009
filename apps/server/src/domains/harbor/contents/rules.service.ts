import type { ProjectRules } from '@gantry/contract/harbor/projects'
import type { Ctx } from '../../../kernel/context.ts'
import { openProject } from './place.ts'

/** Read each time and never stored: rules are changed in the Harbor itself. */
export async function rulesOf(ctx: Ctx, harborId: number, projectId: number): Promise<ProjectRules> {
  const { access } = await openProject(ctx, harborId, projectId, 'image_harbor_view')
  const { harbor } = ctx.ports
  const [{ retentionId }, quota, immutable] = await Promise.all([
    harbor.project(access, projectId, ctx.signal),
    harbor.projectQuota(access, projectId, ctx.signal),
    harbor.immutableRules(access, projectId, ctx.signal),
  ])
  const retention = retentionId === null ? undefined : await harbor.retention(access, retentionId, ctx.signal)
  return { ...quota, retention: retention?.rules ?? [], schedule: retention?.schedule ?? '', immutable }
}
