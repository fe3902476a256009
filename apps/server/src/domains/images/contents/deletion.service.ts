import type { Deletion } from '@gantry/contract/images/contents'
import { tagOfId } from '@gantry/contract/images/keys'
import { sharedRead } from '../../../db/shared-read.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
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
 * again, and new tags are looked for. For each image that makes a request for each of its tags before, one more right
 * before it is deleted, and the deletion; what is read of new tags serves every deletion of half a second.
 */

const permission = 'image_tag_delete'
/** Maximum of tags that are read for one deletion. */
const maxTags = 100_000
/** How long what was read of new tags stays valid. */
const newTagsFreshMs = 500

interface Confirmed {
  tag: string
  digest: string
}

/** The digest of a tag now, and the images that are part of it. */
interface Named {
  digest: string
  parts: string[]
}

type NamedTag = readonly [tag: string, named: Named]

/** All tags of a repository. Of each of up to a thousand images others are sought, so these are kept by digest too. */
interface Tags {
  all: ReadonlyMap<string, Named>
  /** The tags of an image. */
  of: (digest: string) => readonly string[]
  /** The tags of the indexes that contain an image. */
  around: (digest: string) => readonly string[]
}

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

async function readTags(ctx: Ctx, at: RegistryView, repository: string, names: readonly string[]): Promise<NamedTag[]> {
  const read = await inLanes(names, lanes, async (tag) => [tag, await readNow(ctx, at, repository, tag)] as const)
  return read.flatMap(([tag, named]) => (named === undefined ? [] : [[tag, named] as const]))
}

async function readAll(ctx: Ctx, at: RegistryView, repository: string): Promise<Tags> {
  const { names, more } = await namesNow(ctx, at, repository)
  if (more) throw new Fault('conflict', 'images-tags-too-many', { count: maxTags })
  // in the order of the names, which is the order in which refusals name them
  const all = new Map(await readTags(ctx, at, repository, names))
  const of = Map.groupBy(all.keys(), (tag) => all.get(tag)?.digest)
  const parts = [...all].flatMap(([tag, named]) => [...new Set(named.parts)].map((part) => ({ part, tag })))
  const around = Map.groupBy(parts, ({ part }) => part)
  return {
    all,
    of: (digest) => of.get(digest) ?? [],
    around: (digest) => (around.get(digest) ?? []).map(({ tag }) => tag),
  }
}

/** The tags that deleting a tag deletes, and why that is refused, if it is. */
interface Decision extends Confirmed {
  goes: readonly string[]
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
  goes: readonly string[],
): Fault | undefined => {
  const wanted = { repository, digests: new Set([digest, ...named.parts]), tags: new Set(goes) }
  const own = uses.filter((use) => refersTo(use, at.registry, wanted))
  return keptBy(`${imageName(at.registry, repository)}:${goes[0] ?? ''}`, own, visible)
}

const togetherFault = (tag: string, tags: readonly string[]): Fault =>
  new Fault('conflict', 'images-tag-together', { tag, tags: tags.join(', ') })

/** Why an image stays with an index that contains it; undefined if every such index is or will be gone. */
function partFault(tags: Tags, { tag, digest }: Confirmed, gone: ReadonlySet<string>): Fault | undefined {
  const staying = tags.around(digest).filter((name) => !gone.has(tags.all.get(name)?.digest ?? ''))
  return staying.length === 0 ? undefined : new Fault('conflict', 'images-tag-part', { tag, tags: staying.join(', ') })
}

const nameOf = ({ tag, digest }: Confirmed): string => `${tag}@${digest}`

function decide(
  situation: Situation,
  tags: Tags,
  uses: readonly UseRow[],
  confirmed: ReadonlySet<string>,
  { tag, digest }: Confirmed,
): Decision {
  const now = tags.all.get(tag)
  const refused = (refusal: Fault, goes: readonly string[] = [tag]): Decision => ({ tag, digest, goes, refusal })
  if (now === undefined) return refused(new Fault('missing', 'images-tag-gone', { tag }))
  if (now.digest !== digest) return refused(new Fault('conflict', 'images-tag-changed', { tag }))
  const goes = tags.of(digest)
  const used = usedFault(situation, uses, digest, now, goes)
  if (used) return refused(used, goes)
  const unnamed = goes.filter((name) => !confirmed.has(nameOf({ tag: name, digest })))
  if (unnamed.length > 0) return refused(togetherFault(tag, unnamed), goes)
  return { tag, digest, goes, refusal: undefined }
}

async function decideAll(ctx: Ctx, at: RegistryView, repository: string, wanted: readonly Confirmed[]) {
  const tags = await readAll(ctx, at, repository)
  const situation: Situation = { at, repository, visible: await visibleTo(ctx, at) }
  const uses = await usesOfRepository(ctx, at.registry, repository)
  const confirmed = new Set(wanted.map(nameOf))
  const alone = wanted.map((one) => decide(situation, tags, uses, confirmed, one))
  const going = new Set(alone.flatMap(({ digest, refusal }) => (refusal === undefined ? [digest] : [])))
  const decisions = alone.map((one) => ({ ...one, refusal: one.refusal ?? partFault(tags, one, going) }))
  return { tags, situation, decisions }
}

/** One read for all deletions that wait for it, so that a batch takes one connection to the database. */
const usesNow = (ctx: Ctx, { at: { registry }, repository }: Situation): Promise<UseRow[]> =>
  sharedRead(ctx.db, ['uses of images', registry.id, registry.url, repository], () =>
    usesOfRepository(ctx, registry, repository),
  )

/** What deletions of one request share. `gone` are the images that it has deleted. */
interface Run {
  situation: Situation
  tags: Tags
  newTags: () => Promise<readonly NamedTag[]>
  gone: Set<string>
}

/** Deletes the image; throws if something has changed since all tags were read. */
async function deleteImage(ctx: Ctx, { situation, tags, newTags, gone }: Run, one: Decision): Promise<void> {
  const { at, repository } = situation
  const { digest, goes } = one
  const [tag = ''] = goes
  const parted = partFault(tags, one, gone)
  if (parted) throw parted
  for (const [name, named] of await newTags()) {
    if (named.digest === digest) throw togetherFault(tag, [name])
    if (named.parts.includes(digest)) throw new Fault('conflict', 'images-tag-part', { tag, tags: name })
  }
  const uses = await usesNow(ctx, situation)
  const used = usedFault(situation, uses, digest, { digest, parts: tags.all.get(tag)?.parts ?? [] }, goes)
  if (used) throw used
  const { registry } = ctx.ports
  await inLanes(goes, lanes, async (tag) => {
    const now = await inTurn(at, ctx.signal, () => registry.digest(at.access, repository, tag, ctx.signal))
    if (now !== digest) throw new Fault('conflict', 'images-tag-changed', { tag })
  })
  if (!(await inTurn(at, ctx.signal, () => registry.remove(at.access, repository, digest))))
    throw new Fault('missing', 'images-tag-gone', { tag })
  gone.add(digest)
}

/** Tags that are new since all tags were read; looked for at most twice a second. */
function newTagsOf(ctx: Ctx, { at, repository }: Situation, tags: Tags): Run['newTags'] {
  let last: { until: number; read: Promise<readonly NamedTag[]> } | undefined
  const read = async () => {
    const { names } = await namesNow(ctx, at, repository)
    return readTags(
      ctx,
      at,
      repository,
      names.filter((name) => !tags.all.has(name)),
    )
  }
  return () => {
    if (last === undefined || last.until < performance.now())
      last = { until: performance.now() + newTagsFreshMs, read: read() }
    return last.read
  }
}

/** Deletes the images that nothing keeps; a failure is reported and does not stop the others. */
async function run(ctx: Ctx, at: RegistryView, repository: string, wanted: readonly Confirmed[]): Promise<Decision[]> {
  const { tags, situation, decisions } = await decideAll(ctx, at, repository, wanted)
  const shared: Run = { situation, tags, newTags: newTagsOf(ctx, situation, tags), gone: new Set() }
  const failed = new Map<string, Fault>()
  const images = new Map(decisions.flatMap((one) => (one.refusal === undefined ? [[one.digest, one] as const] : [])))
  const isIndex = ({ tag }: Confirmed): boolean => (tags.all.get(tag)?.parts.length ?? 0) > 0
  const deleteAll = (some: readonly Decision[]) =>
    inLanes(some, lanes, async (one) => {
      try {
        await deleteImage(ctx, shared, one)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        failed.set(one.digest, error)
      }
    })
  try {
    // an index is deleted before its parts, which stay if it stays
    await deleteAll([...images.values()].filter(isIndex))
    await deleteAll([...images.values()].filter((one) => !isIndex(one)))
  } finally {
    forget(at, repository)
  }
  return decisions.map((one) => ({ ...one, refusal: one.refusal ?? failed.get(one.digest) }))
}

const toDeletions = (ctx: Ctx, decisions: readonly Decision[]): Deletion[] =>
  decisions.map(({ tag, digest, goes, refusal }) => ({
    tag,
    digest,
    goes: [...goes],
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
  return { tags: [...(first?.goes ?? [])] }
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
