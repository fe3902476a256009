import type { Uses } from '@gantry/contract/images/contents'
import { visibleTeams } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { registriesAt, usersOf, visibleAnywhere } from '../../images/public.ts'
import { homeOf, openRepository } from './place.ts'

/** Everything that uses an image, including builds that push to the Harbor by a team's registry. */
export async function usersOfImage(
  ctx: Ctx,
  harborId: number,
  { repo, digest }: { repo: string; digest: string },
): Promise<Uses> {
  const { access, harbor, place } = await openRepository(ctx, harborId, repo, 'image_harbor_view')
  const { children, tags } = await ctx.ports.harbor.artifact(access, place, digest, ctx.signal)
  const wanted = {
    repository: repo,
    digests: new Set([digest, ...children.map((child) => child.digest)]),
    tags: new Set(tags.map(({ name }) => name)),
  }
  const anywhere = { ...ctx, tenantId: undefined }
  return usersOf(ctx, homeOf(harbor), await registriesAt(ctx.db, harbor.url), wanted, {
    visible: await visibleAnywhere(ctx),
    pipelines: await visibleTeams(anywhere, 'pipeline_pipeline_view'),
    builds: await visibleTeams(anywhere, 'pipeline_build_view'),
  })
}
