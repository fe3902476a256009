import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import type { Image, Problem, Repository, Tag, UseCount } from '@gantry/contract/images/contents'
import type { contents } from '@gantry/contract/images/contents'
import { repoIdOf, repositoryOfId, type TagKey, tagIdOf, tagOfId } from '@gantry/contract/images/keys'
import type { z } from 'zod'
import { sorting } from '../../../db/list.ts'
import { holds } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { inLanes } from '../../../kernel/concurrency/lanes.ts'
import { containing, type Names, type Page, paged } from '../../../kernel/paging.ts'
import { sayTo } from '../../../kernel/phrase.ts'
import { registriesOf } from '../registries.store.ts'
import { usesOfRepository } from './in-use.service.ts'
import { type RegistryView, place, placeInTeam } from './place.ts'
import { readImage, readTag, repositoriesOf, tagNames } from './reading.ts'
import { usersOf } from './users.service.ts'
import { usesOf, type UseRow } from './uses.read.ts'
import { countUses, imageName, names, pathsOf, refersTo, type Visible, type Wanted } from './uses.ts'

export type Answer<Name extends keyof typeof contents> = z.input<(typeof contents)[Name]['data']>

interface Query {
  keyword?: string | undefined
  sort?: string | undefined
}

/** Concurrent reads for the tags of a page. */
export const lanes = 16

/** A failure of the registry is shown beside the rest; other errors are thrown. */
export function problemOf(ctx: Ctx, error: unknown): Problem {
  if (!(error instanceof Fault)) throw error
  return { key: error.key, text: sayTo(ctx, error) }
}

export async function attempt<T>(
  ctx: Ctx,
  work: Promise<T>,
  otherwise: T,
): Promise<{ value: T; problem: Problem | null }> {
  try {
    return { value: await work, problem: null }
  } catch (error) {
    return { value: otherwise, problem: problemOf(ctx, error) }
  }
}

const nothing: Names = { names: [], more: false }

/** Services of a team are named to users who may see them; of others only the number is shown. */
export async function visibleTo(ctx: Ctx, { teamId }: RegistryView): Promise<Visible> {
  if (ctx.actor.admin) return () => true
  const seen = teamId !== null && (await holds(ctx, teamId, 'stack_service_view'))
  return (use) => seen && use.teamId === teamId
}

const rowOf = ({ registry }: RegistryView, repository: string, uses: UseCount): Repository => ({
  repoId: repoIdOf({ registryId: registry.id, repository }),
  registryId: registry.id,
  registryName: registry.name,
  name: repository,
  image: imageName(registry, repository),
  uses,
})

/** Repositories of a page, each with what uses it. */
async function withUses(ctx: Ctx, found: readonly { at: RegistryView; name: string }[]): Promise<Repository[]> {
  const uses = await usesOf(ctx.db, [...new Set(found.flatMap(({ at, name }) => pathsOf(at.registry, name)))])
  return Promise.all(
    found.map(async ({ at, name }) => {
      const own = uses.filter((use) => names(use, at.registry, name))
      return rowOf(at, name, countUses(own, await visibleTo(ctx, at)))
    }),
  )
}

const inOrder = <T>(rows: T[], sort: string | undefined, of: (row: T) => string): T[] =>
  sorting(sort, ['name']).direction === 'desc' ? rows.toSorted((a, b) => compareNames(of(b), of(a))) : rows

const ofTruncated = (more: boolean) => (more ? { truncated: true } : {})

export async function listRepositories(
  ctx: Ctx,
  id: number,
  query: Query,
  page: Page,
): Promise<Answer<'repositories'>> {
  const at = await place(ctx, id, 'image_registry_view', ['pull'])
  const { value, problem } = await attempt(ctx, repositoriesOf(ctx, at), nothing)
  const found = inOrder(
    containing(value.names, query.keyword, (name) => [name]),
    query.sort,
    (name) => name,
  )
  const list = paged(found, page)
  const items = await withUses(
    ctx,
    list.items.map((name) => ({ at, name })),
  )
  return { ...list, ...ofTruncated(value.more), items, problem }
}

/** Repositories of all registries of the team. They are read concurrently, each within its time limit. */
export async function listExternal(
  ctx: Ctx,
  teamId: number,
  query: Query & { registryId?: number | undefined },
  page: Page,
): Promise<Answer<'external'>> {
  const { registryId } = query
  const usable = (await registriesOf(ctx.db, teamId)).filter(({ harborId }) => harborId === null)
  const wanted = usable.filter(({ id }) => registryId === undefined || id === registryId)
  if (registryId !== undefined && wanted.length === 0) throw new Fault('missing', 'resource-missing')
  const read = await Promise.all(
    wanted.map(async ({ id }) => {
      const at = await placeInTeam(ctx, teamId, id, ['pull'])
      return { at, ...(await attempt(ctx, repositoriesOf(ctx, at), nothing)) }
    }),
  )
  const all = read
    .flatMap(({ at, value }) => value.names.map((name) => ({ at, name })))
    .sort((a, b) => compareNames(a.name, b.name) || a.at.registry.id - b.at.registry.id)
  const found = inOrder(
    containing(all, query.keyword, ({ name }) => [name]),
    query.sort,
    ({ name }) => name,
  )
  const list = paged(found, page)
  return {
    ...list,
    ...ofTruncated(read.some(({ value }) => value.more)),
    items: await withUses(ctx, list.items),
    registries: usable.map(({ id, name, sandbox }) => ({
      id,
      name,
      sandbox,
      problem: read.find(({ at }) => at.registry.id === id)?.problem ?? null,
    })),
  }
}

export const wantedOf = (
  repository: string,
  { digest, image }: { digest: string; image: { platforms: { digest: string }[] } },
  tags: Iterable<string>,
): Wanted => ({
  repository,
  digests: new Set([digest, ...image.platforms.map((platform) => platform.digest)]),
  tags: new Set(tags),
})

async function tagRow(
  ctx: Ctx,
  at: RegistryView,
  key: TagKey,
  uses: readonly UseRow[],
  visible: Visible,
): Promise<Tag> {
  const { repository, tag } = key
  const id = { tagId: tagIdOf(key), tag }
  const { value, problem } = await attempt(ctx, readTag(ctx, at, repository, tag), undefined)
  if (value === undefined)
    return {
      ...id,
      digest: '',
      type: 'other',
      size: 0,
      createdAt: null,
      platforms: [],
      layers: 0,
      uses: countUses([], visible),
      problem,
    }
  const { type, size, createdAt, platforms, layers } = value.image
  const wanted = wantedOf(repository, value, [tag])
  return {
    ...id,
    digest: value.digest,
    type,
    size,
    createdAt,
    platforms: platforms.map(({ name }) => name),
    layers: layers.filter(({ digest }) => digest !== '').length,
    uses: countUses(
      uses.filter((use) => refersTo(use, at.registry, wanted)),
      visible,
    ),
    problem,
  }
}

/** A page of tags, newest version first in natural order. */
export async function listTags(
  ctx: Ctx,
  id: number,
  { repo: repository, keyword, sort }: Query & { repo: string },
  page: Page,
): Promise<Answer<'tags'>> {
  const at = await place(ctx, id, 'image_registry_view', ['pull'])
  const { value, problem } = await attempt(ctx, tagNames(ctx, at, repository), nothing)
  const found = inOrder(
    containing(value.names, keyword, (name) => [name]),
    sort ?? '-name',
    (name) => name,
  )
  const list = paged(found, page)
  const visible = await visibleTo(ctx, at)
  const uses = await usesOfRepository(ctx, at.registry, repository)
  const items = await inLanes(list.items, lanes, (tag) =>
    tagRow(ctx, at, { registryId: id, repository, tag }, uses, visible),
  )
  const of = { registryName: at.registry.name, image: imageName(at.registry, repository) }
  return { ...list, ...ofTruncated(value.more), ...of, items, problem }
}

/** The tag of a call; 404 if its key belongs to another repository than the path names. */
export function tagIn(repoId: string, tagId: string): TagKey {
  const repository = repositoryOfId(repoId)
  const key = tagOfId(tagId)
  if (key === undefined || repository?.registryId !== key.registryId || repository.repository !== key.repository)
    throw new Fault('missing', 'resource-missing')
  return key
}

/** The repository of a call. */
export function repositoryIn(repoId: string) {
  return mustExist(repositoryOfId(repoId))
}

export async function getImage(
  ctx: Ctx,
  { repoId, tagId }: { repoId: string; tagId: string },
  platform: string | undefined,
): Promise<Image> {
  const { registryId, repository, tag } = tagIn(repoId, tagId)
  const at = await place(ctx, registryId, 'image_registry_view', ['pull'])
  const { registry, teamId } = at
  const found = await readImage(ctx, at, repository, tag, platform)
  const name = imageName(registry, repository)
  const wanted = wantedOf(repository, found, [tag])
  const every = teamId === null ? undefined : [teamId]
  const teamsWith = async (permission: PermissionKey) =>
    ctx.actor.admin || (teamId !== null && (await holds(ctx, teamId, permission))) ? every : []
  const { type, size, createdAt, platforms, layers } = found.image
  return {
    tagId,
    tag,
    digest: found.digest,
    type,
    size,
    createdAt,
    repository,
    registryName: registry.name,
    image: `${name}:${tag}@${found.digest}`,
    platforms,
    platform: found.image.platform,
    layers,
    uses: await usersOf(ctx, registry, [registry.id], wanted, {
      visible: await visibleTo(ctx, at),
      pipelines: await teamsWith('pipeline_pipeline_view'),
      builds: await teamsWith('pipeline_build_view'),
    }),
  }
}
