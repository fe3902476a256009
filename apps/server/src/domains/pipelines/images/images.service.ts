import type { Release } from '@gantry/contract/pipelines/images'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Trigger, triggerBuild } from '../builds/builds.service.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { deleteVersion, findVersion, isMadeBy, type Reference, releasesOf } from './images.store.ts'

/** Starts a build for an image that a build of the team made. Any other is 404, be it another team's or missing. */
export const triggerForImage = (
  ctx: Ctx,
  key: PipelineKey,
  { image, ...of }: { image: string } & Pick<Trigger, 'branch' | 'tag' | 'commit' | 'parameters' | 'idempotencyKey'>,
) =>
  inTx(ctx, async (ctx) => {
    const { teamId } = await getPipeline(ctx, key)
    if (!(await findVersion(ctx.db, teamId, image))) throw new Fault('missing', 'resource-missing')
    return triggerBuild(ctx, key, { cause: 'image', image, ...of })
  })

/** Removes an image from the list only. It stays in its registry, where services may run it. */
export const removeVersion = (ctx: Ctx, key: PipelineKey, imageId: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const { id, projectName } = await getPipeline(ctx, key)
    note(ctx, { object: projectName })
    if (!(await deleteVersion(ctx.db, id, imageId))) throw new Fault('missing', 'resource-missing')
    return null
  })

/** Splits `host:5000/path:tag@digest`. */
function referenceOf(image: string): Reference {
  const [tagged = '', digest = ''] = image.split('@', 2)
  const [, name = tagged, tag = ''] = /^(.+?)(?::([^:/]+))?$/.exec(tagged) ?? []
  return { name, tag, digest }
}

/** The services of the team that run an image; 404 for an image that the team neither made nor runs. */
export async function readReleases(ctx: Ctx, teamId: number, image: string): Promise<Release[]> {
  const reference = referenceOf(image)
  const releases = await releasesOf(ctx.db, teamId, reference)
  if (releases.length === 0 && !(await isMadeBy(ctx.db, teamId, reference.name)))
    throw new Fault('missing', 'resource-missing')
  return releases
}
