import type { BuildImage, BuildImageInput, BuildImageType } from '@gantry/contract/build-images/build-images'
import type { List } from '@gantry/contract/paging'
import { brokenConstraint } from '../../db/constraint.ts'
import { visibleTeams } from '../../identity/access.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import type { Page } from '../../kernel/paging.ts'
import {
  deleteImage,
  type Filter,
  findImage,
  insertImage,
  limitTo,
  listCatalogs,
  listImages,
  makeInternal,
  pipelinesIn,
  type Teams,
  updateImage,
} from './build-images.store.ts'

/** At most this many pipelines are named in a refusal. */
const maxNamed = 5

/** The teams whose images the caller sees; an administrator sees all teams, whichever is chosen in the console. */
async function teamsSeen(ctx: Ctx, wanted?: number): Promise<Teams> {
  const seen = ctx.actor.admin ? undefined : await visibleTeams(ctx)
  if (wanted === undefined) return seen
  return seen === undefined || seen.includes(wanted) ? [wanted] : []
}

export const readImages = async (
  ctx: Ctx,
  filter: Filter,
  teamId: number | undefined,
  at: Page,
): Promise<List<BuildImage>> => listImages(ctx.db, await teamsSeen(ctx, teamId), filter, at)

export const readCatalogs = async (ctx: Ctx, type: BuildImageType | undefined) =>
  listCatalogs(ctx.db, await teamsSeen(ctx), type)

async function found(ctx: Ctx, id: number, { lock = false } = {}): Promise<BuildImage> {
  return mustExist(await findImage(ctx.db, id, { lock }))
}

const storing = <T>(write: Promise<T>, name: string): Promise<T> =>
  write
    .catch(brokenConstraint('job_image_name', new Fault('conflict', 'build-images-name-taken', { name })))
    .catch(brokenConstraint('job_image_team_id_fkey', new Fault('invalid', 'build-images-team')))

export const createImage = (ctx: Ctx, input: BuildImageInput): Promise<BuildImage> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: input.name, after: input })
    return found(ctx, await storing(insertImage(ctx.db, { ...input, by: ctx.actor.name }), input.name))
  })

export const changeImage = (
  ctx: Ctx,
  id: number,
  { revision, ...input }: BuildImageInput & { revision?: number | undefined },
): Promise<BuildImage> =>
  inTx(ctx, async (ctx) => {
    const before = await found(ctx, id, { lock: true })
    note(ctx, { object: before.name, before: written(before), after: input })
    if (revision !== undefined && revision !== before.revision)
      throw new Fault('conflict', 'build-images-changed', { name: before.name, by: before.updatedBy })
    if (before.kind === 'internal' && input.teamId !== null) throw new Fault('invalid', 'build-images-internal-team')
    // read after locking: a pipeline that starts to use the image waits, and then sees the change
    const others = (await pipelinesIn(ctx.db, id)).filter(
      ({ teamId }) => input.type !== 'BUILD' || (input.teamId !== null && input.teamId !== teamId),
    )
    if (others.length > 0) throw inUse(before.name, others)
    await storing(updateImage(ctx.db, id, { ...input, by: ctx.actor.name }), input.name)
    return found(ctx, id)
  })

const written = ({ name, image, description, catalog, type, teamId }: BuildImage): BuildImageInput => ({
  name,
  image,
  description,
  catalog,
  type,
  teamId,
})

const inUse = (name: string, pipelines: readonly { name: string }[]): Fault =>
  new Fault('conflict', 'build-images-in-use', {
    name,
    count: pipelines.length,
    pipelines: pipelines
      .slice(0, maxNamed)
      .map((one) => one.name)
      .join(', '),
  })

export const removeImage = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const before = await found(ctx, id, { lock: true })
    note(ctx, { object: before.name, before: written(before) })
    const pipelines = await pipelinesIn(ctx.db, id)
    if (pipelines.length > 0) throw inUse(before.name, pipelines)
    await deleteImage(ctx.db, id)
    return null
  })

/** An image of another team does not exist. */
async function usableBy(ctx: Ctx, id: number, teamId: number): Promise<BuildImage> {
  const image = await found(ctx, id, { lock: true })
  if (image.teamId !== null && image.teamId !== teamId) throw new Fault('missing', 'resource-missing')
  return image
}

export const assignImage = (ctx: Ctx, teamId: number, imageId: number, clusterIds: string[]): Promise<BuildImage> =>
  inTx(ctx, async (ctx) => {
    const before = await usableBy(ctx, imageId, teamId)
    const own = before.environments.filter((one) => one.teamId === teamId).map(({ uuid }) => uuid)
    note(ctx, { object: before.name, teamId, before: { environments: own }, after: { environments: clusterIds } })
    await limitTo(ctx.db, imageId, teamId, clusterIds).catch(
      brokenConstraint(
        'job_image_environment_environment_team_id_fkey',
        new Fault('invalid', 'build-images-environment'),
      ),
    )
    return found(ctx, imageId)
  })

export const publishImage = (ctx: Ctx, teamId: number, imageId: number): Promise<BuildImage> =>
  inTx(ctx, async (ctx) => {
    const before = await found(ctx, imageId, { lock: true })
    if (before.teamId !== teamId) throw new Fault('missing', 'resource-missing')
    note(ctx, { object: before.name, teamId, before: { kind: before.kind, teamId }, after: { kind: 'internal' } })
    await storing(makeInternal(ctx.db, imageId, ctx.actor.name), before.name)
    return found(ctx, imageId)
  })
