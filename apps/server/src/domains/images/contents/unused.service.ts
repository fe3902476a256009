import { tagIdOf } from '@gantry/contract/images/keys'
import type { Ctx } from '../../../kernel/context.ts'
import { inLanes } from '../../../kernel/concurrency/lanes.ts'
import { containing, toList, type Page } from '../../../kernel/paging.ts'
import { type Answer, attempt, lanes, repositoryIn, wantedOf } from './contents.service.ts'
import { usesOfRepository } from './in-use.service.ts'
import { place } from './place.ts'
import { readTag, tagNames } from './reading.ts'
import { lastUses } from './uses.read.ts'
import { refersTo } from './uses.ts'

/** Undefined if no time is known. */
function lastOf(times: readonly (string | null | undefined)[]): number | undefined {
  const known = times.flatMap((time) => (time ? [Date.parse(time)] : []))
  return known.length === 0 ? undefined : Math.max(...known)
}

/** Tags of one page that nothing uses, or has used for so many days; without tags of unknown age. */
export async function listUnused(
  ctx: Ctx,
  repoId: string,
  { days, keyword }: { days: number; keyword?: string | undefined },
  page: Page,
): Promise<Answer<'unused'>> {
  const { registryId, repository } = repositoryIn(repoId)
  const at = await place(ctx, registryId, 'image_registry_view', ['pull'])
  const all = containing((await tagNames(ctx, at, repository)).names, keyword, (name) => [name])
  const here = all.slice(page.offset, page.offset + page.limit)
  const read = await inLanes(here, lanes, async (tag) => ({
    tag,
    of: (await attempt(ctx, readTag(ctx, at, repository, tag), undefined)).value,
  }))
  const uses = await usesOfRepository(ctx, at.registry, repository)
  const last = await lastUses(
    ctx.db,
    registryId,
    read.flatMap(({ of }) => of?.digest ?? []),
  )
  const since = Date.now() - days * 86_400_000
  let ageless = 0
  const items = read.flatMap(({ tag, of }) => {
    const usedAt = of && lastOf([of.image.createdAt, last.get(of.digest)])
    if (usedAt === undefined) ageless++
    if (of === undefined || usedAt === undefined || usedAt >= since) return []
    const wanted = wantedOf(repository, of, [tag])
    if (uses.some((use) => refersTo(use, at.registry, wanted))) return []
    const tagId = tagIdOf({ registryId, repository, tag })
    return [{ tagId, tag, digest: of.digest, size: of.image.size, usedAt: new Date(usedAt).toISOString() }]
  })
  const { requestPage, pageSize, totalSize } = toList(here, all.length, page)
  return { items, looked: here.length, ageless, requestPage, pageSize, totalSize }
}
