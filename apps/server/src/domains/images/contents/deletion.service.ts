import type { Deletion } from '@gantry/contract/images/contents'
import { tagOfId } from '@gantry/contract/images/keys'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { inLanes } from '../../../kernel/concurrency/lanes.ts'
import { everyName } from '../../../kernel/paging.ts'
import { lanes, problemOf, repositoryIn, tagIn, visibleTo } from './contents.service.ts'
import { keptBy, usesOfRepository } from './in-use.service.ts'
import { type RegistryView, place, placeInTeam } from './place.ts'
import { forget, inTurn } from './reading.ts'
import type { UseRow } from './uses.read.ts'
import { imageName, refersTo, type Visible } from './uses.ts'

/*
 * A registry deletes an image by its digest, with all of its tags. So every tag of the repository is read first: each
 * tag to be deleted must have been confirmed with its present digest. Right before each deletion its tags are read
 * again, and new tags are looked for.
 */

const permission = 'image_tag_delete'
/** Maximum of tags that are read for one deletion. */
const maxTags = 100_000
/** Concurrent deletions of one request. */
const atOnce = 4
/** How long the list of new tags stays valid. */
const namesFreshMs = 500

interface Confirmed {
  tag: string
  digest: string
}

/** The digest of a tag now, and the images that are part of it. */
interface Named {
  digest: string
  parts: string[]
}

type Tags = Map<string, Named>

const namesNow = (ctx: Ctx, at: RegistryView, repository: string) =>
  everyName((page) => ctx.ports.registry.tags(at.access, repository, { ...page, signal: ctx.signal }), maxTags).catch(
    (error: unknown) => {
      if (error instanceof Fault && error.key === 'registry-image-unknown') return { names: [], more: false }
      throw error
    },
  )

/** Undefined if the tag no longer exists. */
async function readNow(ctx: Ctx, at: RegistryView, repository: string, tag: string): Promise<Named | undefined> {
  const { registry } = ctx.ports
  try {
    const { digest, manifest } = await inTurn(at, ctx.signal, () =>
      registry.manifest(at.access, repository, tag, { signal: ctx.signal }),
    )
    return { digest, parts: (manifest.manifests ?? []).map((part) => part.digest) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.key === 'registry-image-unknown') return undefined
    if (error.key !== 'outbound-not-json') throw error
    // a manifest of an unknown form still has a digest, but no known parts
    const digest = await registry.digest(at.access, repository, tag, ctx.signal)
    return digest === null ? undefined : { digest, parts: [] }
  }
}

async function readAll(ctx: Ctx, at: RegistryView, repository: string): Promise<Tags> {
  const { names, more } = await namesNow(ctx, at, repository)
  if (more) throw new Fault('conflict', 'images-tags-too-many', { count: maxTags })
  const tags: Tags = new Map()
  await inLanes(names, lanes, async (tag) => {
    const named = await readNow(ctx, at, repository, tag)
    if (named) tags.set(tag, named)
  })
  return tags
}

const tagsOf = (tags: Tags, digest: string): string[] =>
  [...tags].flatMap(([tag, named]) => (named.digest === digest ? [tag] : [])).sort(compareNames)

const joinNames = (names: readonly string[]): string => names.join(', ')

/** The tags that deleting a tag deletes, and why that is refused, if it is. */
interface Decision extends Confirmed {
  goes: string[]
  refusal: Fault | undefined
}

interface Situation {
  at: RegistryView
  repository: string
  visible: Visible
}

const usedFault = (
  { at, repository, visible }: Situation,
  uses: readonly UseRow[],
  digest: string,
  named: Named,
  goes: string[],
): Fault | undefined => {
  const wanted = { repository, digests: new Set([digest, ...named.parts]), tags: new Set(goes) }
  const own = uses.filter((use) => refersTo(use, at.registry, wanted))
  return keptBy(`${imageName(at.registry, repository)}:${goes[0] ?? ''}`, own, visible)
}

function decide(
  situation: Situation,
  tags: Tags,
  uses: readonly UseRow[],
  wanted: readonly Confirmed[],
  { tag, digest }: Confirmed,
): Decision {
  const now = tags.get(tag)
  const refused = (refusal: Fault, goes: string[] = [tag]): Decision => ({ tag, digest, goes, refusal })
  if (now === undefined) return refused(new Fault('missing', 'images-tag-gone', { tag }))
  if (now.digest !== digest) return refused(new Fault('conflict', 'images-tag-changed', { tag }))
  const goes = tagsOf(tags, digest)
  const used = usedFault(situation, uses, digest, now, goes)
  if (used) return refused(used, goes)
  const unnamed = goes.filter((name) => !wanted.some((one) => one.tag === name && one.digest === digest))
  if (unnamed.length > 0)
    return refused(new Fault('conflict', 'images-tag-together', { tag, tags: joinNames(unnamed) }), goes)
  const going = new Set(wanted.map((one) => one.digest))
  const whole = [...tags].filter(([, other]) => other.parts.includes(digest) && !going.has(other.digest))
  if (whole.length > 0) {
    const names = whole.map(([name]) => name).sort(compareNames)
    return refused(new Fault('conflict', 'images-tag-part', { tag, tags: joinNames(names) }), goes)
  }
  return { tag, digest, goes, refusal: undefined }
}

async function decideAll(ctx: Ctx, at: RegistryView, repository: string, wanted: readonly Confirmed[]) {
  const tags = await readAll(ctx, at, repository)
  const situation: Situation = { at, repository, visible: await visibleTo(ctx, at) }
  const uses = await usesOfRepository(ctx, at.registry, repository)
  const decisions = wanted.map((one) => decide(situation, tags, uses, wanted, one))
  return { tags, situation, decisions }
}

/** Deletes the image; throws if something has changed since all tags were read. */
async function deleteImage(
  ctx: Ctx,
  situation: Situation,
  tags: Tags,
  { digest, goes }: Pick<Decision, 'digest' | 'goes'>,
  newTags: () => Promise<readonly string[]>,
): Promise<void> {
  const { at, repository } = situation
  for (const tag of await newTags())
    if ((await readNow(ctx, at, repository, tag))?.digest === digest)
      throw new Fault('conflict', 'images-tag-together', { tag: goes[0] ?? '', tags: tag })
  const uses = await usesOfRepository(ctx, at.registry, repository)
  const used = usedFault(situation, uses, digest, { digest, parts: tags.get(goes[0] ?? '')?.parts ?? [] }, goes)
  if (used) throw used
  for (const tag of goes)
    if ((await readNow(ctx, at, repository, tag))?.digest !== digest)
      throw new Fault('conflict', 'images-tag-changed', { tag })
  if (!(await inTurn(at, ctx.signal, () => ctx.ports.registry.remove(at.access, repository, digest))))
    throw new Fault('missing', 'images-tag-gone', { tag: goes[0] ?? '' })
}

/** Tags that are new since all tags were read; looked for at most twice a second. */
function newTagsOf(ctx: Ctx, { at, repository }: Situation, tags: Tags): () => Promise<readonly string[]> {
  let last: { until: number; names: Promise<readonly string[]> } | undefined
  return () => {
    if (last === undefined || last.until < performance.now()) {
      const names = namesNow(ctx, at, repository).then((now) => now.names.filter((name) => !tags.has(name)))
      last = { until: performance.now() + namesFreshMs, names }
    }
    return last.names
  }
}

/** Deletes the images that nothing keeps; a failure is reported and does not stop the others. */
async function run(ctx: Ctx, at: RegistryView, repository: string, wanted: readonly Confirmed[]): Promise<Decision[]> {
  const { tags, situation, decisions } = await decideAll(ctx, at, repository, wanted)
  const newTags = newTagsOf(ctx, situation, tags)
  const failed = new Map<string, Fault>()
  const partsIn = ({ tag }: Confirmed): number => tags.get(tag)?.parts.length ?? 0
  const images = new Map(decisions.flatMap((one) => (one.refusal === undefined ? [[one.digest, one] as const] : [])))
  // an index is deleted before its parts
  const order = [...images.values()].sort((a, b) => partsIn(b) - partsIn(a))
  await inLanes(order, atOnce, async (one) => {
    try {
      await deleteImage(ctx, situation, tags, one, newTags)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      failed.set(one.digest, error)
    }
  }).finally(() => forget(at, repository))
  return decisions.map((one) => ({ ...one, refusal: one.refusal ?? failed.get(one.digest) }))
}

const toDeletions = (ctx: Ctx, decisions: readonly Decision[]): Deletion[] =>
  decisions.map(({ tag, digest, goes, refusal }) => ({
    tag,
    digest,
    goes,
    done: refusal === undefined,
    problem: refusal === undefined ? null : problemOf(ctx, refusal),
  }))

/** Says what deleting these tags would delete and keep; nothing is deleted. */
export async function checkDeletion(ctx: Ctx, repoId: string, wanted: readonly Confirmed[]): Promise<Deletion[]> {
  const { registryId, repository } = repositoryIn(repoId)
  const at = await place(ctx, registryId, permission, ['pull', 'delete'])
  note(ctx, { object: imageName(at.registry, repository) })
  return toDeletions(ctx, (await decideAll(ctx, at, repository, wanted)).decisions)
}

export async function removeTags(ctx: Ctx, repoId: string, wanted: readonly Confirmed[]): Promise<Deletion[]> {
  const { registryId, repository } = repositoryIn(repoId)
  const at = await place(ctx, registryId, permission, ['pull', 'delete'])
  note(ctx, { object: imageName(at.registry, repository), before: { tags: wanted } })
  const decisions = await run(ctx, at, repository, wanted)
  const stays = decisions.flatMap(({ tag, refusal }) => (refusal === undefined ? [] : [{ tag, because: refusal.key }]))
  note(ctx, { after: { deleted: decisions.length - stays.length, stays } })
  return toDeletions(ctx, decisions)
}

interface Confirmation {
  digest: string
  /** The other tags that the caller confirmed to be deleted along. */
  tags?: string | undefined
}

async function removeOne(ctx: Ctx, at: RegistryView, repository: string, tag: string, { digest, tags }: Confirmation) {
  note(ctx, { object: `${imageName(at.registry, repository)}:${tag}`, before: { digest, tags: tags ?? '' } })
  const wanted = [tag, ...(tags?.split(',') ?? [])].map((one) => ({ tag: one, digest }))
  const [first] = await run(ctx, at, repository, wanted)
  if (first?.refusal) throw first.refusal
  return { tags: first?.goes ?? [] }
}

export async function removeTag(ctx: Ctx, { repoId, tagId }: { repoId: string; tagId: string }, by: Confirmation) {
  const { registryId, repository, tag } = tagIn(repoId, tagId)
  const at = await place(ctx, registryId, permission, ['pull', 'delete'])
  return removeOne(ctx, at, repository, tag, by)
}

/** In a registry that the team may use; any other is a 404. */
export async function removeTeamTag(ctx: Ctx, { teamId, tagId }: { teamId: number; tagId: string }, by: Confirmation) {
  const key = mustExist(tagOfId(tagId))
  return removeOne(ctx, await placeInTeam(ctx, teamId, key.registryId, ['pull', 'delete']), key.repository, key.tag, by)
}
