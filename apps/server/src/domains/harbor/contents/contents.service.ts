import type { HarborImage, HarborRepository, ItemResult, Layer, ScanFigures } from '@gantry/contract/harbor/contents'
import type { List } from '@gantry/contract/paging'
import type { HarborAccess } from '../../../adapters/harbor/session.ts'
import { parseImageRef } from '../../../adapters/registry/image-ref.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { inLanes } from '../../../kernel/concurrency/lanes.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { reasonOf, sayReasonTo } from '../../../kernel/phrase.ts'
import {
  countUses,
  imageHost,
  keptBy,
  names,
  pathsOf,
  refersTo,
  type UseRow,
  usesOf,
  usesOfRepository,
  visibleAnywhere,
} from '../../images/public.ts'
import type { StoredHarbor } from '../servers/servers.store.ts'
import { homeOf, openProject, openRepository, placeOf, placeWithin } from './place.ts'

/* The contents of projects of a Harbor. None of them is stored here: the Harbor pages, sorts and searches. */

export async function listRepositories(
  ctx: Ctx,
  harborId: number,
  projectId: number,
  keyword: string,
  at: Page,
): Promise<List<HarborRepository> & { project: string }> {
  const { access, harbor, name } = await openProject(ctx, harborId, projectId, 'image_harbor_view')
  const { offset, limit } = at
  const listing = { offset, limit, keyword, signal: ctx.signal }
  const { items, total } = await ctx.ports.harbor.repositories(access, name, listing)
  const home = homeOf(harbor)
  const uses = await usesOf(ctx.db, [...new Set(items.flatMap((item) => pathsOf(home, item.name)))])
  const visible = await visibleAnywhere(ctx)
  const rows = items.map((item) => ({
    ...item,
    uses: countUses(
      uses.filter((use) => names(use, home, item.name)),
      visible,
    ),
  }))
  return { ...toList(rows, total, at), project: name }
}

interface Wanted {
  repo: string
  projectId: number
  tag?: string | undefined
  digest?: string | undefined
}

export async function listImages(
  ctx: Ctx,
  harborId: number,
  { repo, projectId, tag, digest, keyword = '' }: Wanted & { keyword?: string | undefined },
  at: Page,
): Promise<List<HarborImage>> {
  const { access, harbor, name } = await openProject(ctx, harborId, projectId, 'image_harbor_view')
  const { offset, limit } = at
  const listing = { offset, limit, keyword, tag, digest, signal: ctx.signal }
  const { items, total } = await ctx.ports.harbor.artifacts(access, placeWithin(name, repo), listing)
  const home = homeOf(harbor)
  const uses = await usesOfRepository(ctx, home, repo)
  const visible = await visibleAnywhere(ctx)
  const rows = items.map(({ children, ...item }) => {
    const digests = new Set([item.digest, ...children.map((child) => child.digest)])
    const wanted = { repository: repo, digests, tags: new Set(item.tags.map((one) => one.name)) }
    const own = uses.filter((use) => refersTo(use, home, wanted))
    return { ...item, uses: countUses(own, visible) }
  })
  return toList(rows, total, at)
}

interface Opened {
  access: HarborAccess
  harbor: StoredHarbor
}

/** Refuses to delete what services run or could roll back to. The Harbor is not asked if none uses the repository. */
async function keeping(ctx: Ctx, { access, harbor }: Opened, repo: string) {
  const home = homeOf(harbor)
  const image = `${imageHost(home)}/${repo}`
  const uses = await usesOfRepository(ctx, home, repo)
  const visible = await visibleAnywhere(ctx)
  const refuse = (name: string, keep: readonly UseRow[]): void => {
    const refusal = keptBy(name, keep, visible)
    if (refusal) throw refusal
  }
  return {
    repository: () => refuse(image, uses),
    /** Deleting one of several tags leaves the image, so only services that name it by this tag prevent that. */
    image: async (reference: string): Promise<void> => {
      if (uses.length === 0) return
      const { digest, children, tags } = await ctx.ports.harbor.artifact(access, placeOf(repo), reference, ctx.signal)
      const all = reference === digest ? tags.map(({ name }) => name) : [reference]
      const digests = new Set([digest, ...children.map((child) => child.digest)])
      const keep = uses.filter((use) => refersTo(use, home, { repository: repo, digests, tags: new Set(all) }))
      const stays = reference !== digest && tags.length > 1
      const name = reference === digest ? `${image}@${digest}` : `${image}:${reference}`
      refuse(name, stays ? keep.filter(({ refs }) => refs.some((ref) => isTagged(ref, reference))) : keep)
    },
  }
}

const isTagged = (image: string, tag: string): boolean => (parseImageRef(image)?.tag ?? 'latest') === tag

/** Deletes a tag, or by digest the image with all of its tags. */
export async function removeTag(ctx: Ctx, harborId: number, { repo, projectId, tag, digest }: Wanted): Promise<null> {
  const reference = tag ?? digest
  if (reference === undefined) throw new Fault('invalid', 'harbor-tag-or-digest')
  const opened = await openProject(ctx, harborId, projectId, 'image_harbor_delete')
  const { access, name } = opened
  const place = placeWithin(name, repo)
  note(ctx, { object: `${repo}:${reference}` })
  if (tag !== undefined && digest !== undefined) {
    // the tag may meanwhile name another image than the caller saw
    const now = await ctx.ports.harbor.artifact(access, place, tag, ctx.signal)
    if (now.digest !== digest) throw new Fault('conflict', 'harbor-tag-moved', { tag })
  }
  const kept = await keeping(ctx, opened, repo)
  await kept.image(reference)
  if (tag === undefined) await ctx.ports.harbor.removeArtifact(access, place, reference)
  else await ctx.ports.harbor.removeTag(access, place, tag)
  return null
}

const atOnce = 4

/** Works on each item by itself: one refusal does not stop the others. Results keep the order of the items. */
async function each(ctx: Ctx, items: readonly string[], work: (item: string) => Promise<void>): Promise<ItemResult[]> {
  const results = await inLanes([...new Set(items)], atOnce, async (item): Promise<ItemResult | undefined> => {
    if (ctx.signal.aborted) return undefined
    try {
      await work(item)
      return { item, done: true, problem: '' }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return { item, done: false, problem: sayReasonTo(ctx, reasonOf(error)) }
    }
  })
  const outcomes = results.filter((result) => result !== undefined)
  note(ctx, { after: { deleted: outcomes.filter((one) => one.done).map(({ item }) => item) } })
  return outcomes
}

export async function removeRepositories(
  ctx: Ctx,
  harborId: number,
  projectId: number,
  repositories: string[],
): Promise<ItemResult[]> {
  const opened = await openProject(ctx, harborId, projectId, 'image_harbor_delete')
  note(ctx, { object: opened.name })
  return each(ctx, repositories, async (repo) => {
    const place = placeWithin(opened.name, repo)
    const kept = await keeping(ctx, opened, repo)
    kept.repository()
    await ctx.ports.harbor.removeRepository(opened.access, place)
  })
}

export async function removeTags(
  ctx: Ctx,
  harborId: number,
  { projectId, repo, tags }: { projectId: number; repo: string; tags: string[] },
): Promise<ItemResult[]> {
  const opened = await openProject(ctx, harborId, projectId, 'image_harbor_delete')
  const { access, name } = opened
  const place = placeWithin(name, repo)
  note(ctx, { object: repo })
  const kept = await keeping(ctx, opened, repo)
  return each(ctx, tags, async (reference) => {
    await kept.image(reference)
    await (reference.startsWith('sha256:')
      ? ctx.ports.harbor.removeArtifact(access, place, reference)
      : ctx.ports.harbor.removeTag(access, place, reference))
  })
}

export async function layersOf(ctx: Ctx, harborId: number, repo: string, reference: string): Promise<Layer[]> {
  const { access, place } = await openRepository(ctx, harborId, repo, 'image_harbor_view')
  return ctx.ports.harbor.history(access, place, reference, ctx.signal)
}

/** Scans of the images that a list shows; images that the Harbor no longer has are left out. */
export async function scansOf(ctx: Ctx, harborId: number, repo: string, digests: string[]): Promise<ScanFigures[]> {
  const { access, place } = await openRepository(ctx, harborId, repo, 'image_harbor_view')
  const found = await inLanes([...new Set(digests)], atOnce, async (digest): Promise<ScanFigures[]> => {
    try {
      return [{ digest, ...(await ctx.ports.harbor.scanOverview(access, place, digest, ctx.signal)) }]
    } catch (error) {
      if (!(error instanceof Fault) || error.key !== 'resource-missing') throw error
      return []
    }
  })
  return found.flat()
}
