import type { Readable } from 'node:stream'
import type { Catalog, CatalogInput, CatalogTag, TeamCatalog } from '@gantry/contract/catalog/catalogs'
import type { List } from '@gantry/contract/paging'
import { brokenConstraint } from '../../db/constraint.ts'
import { sorting } from '../../db/list.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { takePicture } from '../../kernel/picture.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { toList, page } from '../../kernel/paging.ts'
import { isPhrase, say } from '../../kernel/phrase.ts'
import {
  deleteCatalog,
  deleteTag,
  findCatalog,
  findImage,
  findTag,
  insertCatalog,
  insertTag,
  listCatalogs,
  orderNames,
  saveImage,
  setTagsAndTeams,
  type StoredCatalog,
  updateCatalog,
} from './catalogs.store.ts'
import { useOf } from './templates.store.ts'

interface Query {
  keyword?: string | undefined
  sort?: string | undefined
  tag?: number | undefined
  id?: number | undefined
}

/** A shipped entry is described in the reader's language, until somebody writes another description. */
function toCatalog(ctx: Ctx, { shipped, description, ...row }: StoredCatalog): Catalog {
  const key = `catalog-shipped-${shipped}`
  const own = description === '' && isPhrase(key) ? say(ctx.lang, key) : description
  return { ...row, description: own, shipped: shipped !== null }
}

/** The entry, optionally locked; 404 if there is none. */
async function mustFind(ctx: Ctx, id: number, how?: { lock: boolean }): Promise<StoredCatalog> {
  return mustExist(await findCatalog(ctx.db, id, how))
}

export const getCatalog = async (ctx: Ctx, id: number): Promise<Catalog> => toCatalog(ctx, await mustFind(ctx, id))

export async function readCatalogs(
  ctx: Ctx,
  { keyword = '', tag, sort, ...at }: Query & Parameters<typeof page>[0],
): Promise<List<Catalog>> {
  const { items, total } = await listCatalogs(ctx.db, { keyword, tag }, sorting(sort, orderNames), page(at))
  return toList(
    items.map((row) => toCatalog(ctx, row)),
    total,
    page(at),
  )
}

export async function readCatalogsOfTeam(
  ctx: Ctx,
  teamId: number,
  { keyword = '', tag, id, sort, ...at }: Query & Parameters<typeof page>[0],
): Promise<List<TeamCatalog>> {
  const filter = { keyword, tag, id, teamId }
  const { items, total } = await listCatalogs(ctx.db, filter, sorting(sort, orderNames), page(at))
  return toList(
    items.map((row) => toCatalog(ctx, row)),
    total,
    page(at),
  )
}

/** Drops chosen teams if every team has the entry. */
const normalized = ({ name, description, tagIds, forAll, teamIds }: CatalogInput): CatalogInput => ({
  name,
  description,
  tagIds,
  forAll,
  teamIds: forAll ? [] : teamIds,
})

const toInput = ({ name, description, tags, forAll, teams }: StoredCatalog): CatalogInput => ({
  name,
  description,
  tagIds: tags.map(({ id }) => id),
  forAll,
  teamIds: teams.map(({ id }) => id),
})

const storing = <T>(write: Promise<T>, name: string): Promise<T> =>
  write
    .catch(brokenConstraint('catalog_name', new Fault('conflict', 'catalog-name-taken', { name })))
    .catch(brokenConstraint('catalog_tagged_tag', new Fault('invalid', 'catalog-tag-gone')))
    .catch(brokenConstraint('catalog_team_team', new Fault('invalid', 'catalog-team-gone')))

export const createCatalog = (ctx: Ctx, given: CatalogInput): Promise<Catalog> =>
  inTx(ctx, async (ctx) => {
    const input = normalized(given)
    note(ctx, { object: input.name, after: input })
    const id = await storing(insertCatalog(ctx.db, { ...input, by: ctx.actor.name }), input.name)
    await storing(setTagsAndTeams(ctx.db, id, input), input.name)
    return getCatalog(ctx, id)
  })

export const changeCatalog = (
  ctx: Ctx,
  id: number,
  { revision, ...given }: CatalogInput & { revision?: number | undefined },
): Promise<Catalog> =>
  inTx(ctx, async (ctx) => {
    const before = await mustFind(ctx, id, { lock: true })
    const input = normalized(given)
    note(ctx, { object: before.name, before: toInput(before), after: input })
    if (revision !== undefined && revision !== before.revision)
      throw new Fault('conflict', 'catalog-changed', { name: before.name, by: before.updatedBy })
    // a shipped description that the form only sent back is not stored, so that it stays in each reader's language
    const isUnchanged = before.description === '' && input.description === toCatalog(ctx, before).description
    const description = isUnchanged ? '' : input.description
    await storing(updateCatalog(ctx.db, id, { ...input, description, by: ctx.actor.name }), input.name)
    await storing(setTagsAndTeams(ctx.db, id, input), input.name)
    return getCatalog(ctx, id)
  })

export const removeCatalog = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const before = await mustFind(ctx, id, { lock: true })
    const { name } = before
    note(ctx, { object: name, before: { ...toInput(before), versions: before.versionNum + before.draftNum } })
    const use = await useOf(ctx.db, { catalogId: id })
    if (use) throw new Fault('conflict', 'catalog-in-use', { name, ...use })
    // a stack deployed at this very moment is refused by a constraint, or makes this fail
    await deleteCatalog(ctx.db, id).catch(
      brokenConstraint('stack_template', new Fault('conflict', 'catalog-used-meanwhile', { name })),
    )
    return null
  })

export async function readImage(ctx: Ctx, id: number): Promise<{ image: Buffer; version: string }> {
  const image = await findImage(ctx.db, id)
  if (!image) throw new Fault('missing', 'products-image-missing')
  return image
}

export async function setImage(ctx: Ctx, id: number, upload: Readable): Promise<Catalog> {
  const { name } = await mustFind(ctx, id)
  note(ctx, { object: name })
  const picture = await takePicture(ctx, upload, 'products-image-format')
  return inTx(ctx, async (ctx) => {
    await mustFind(ctx, id, { lock: true })
    await saveImage(ctx.db, { catalog_id: id, ...picture })
    return getCatalog(ctx, id)
  })
}

async function mustFindTag(ctx: Ctx, id: number): Promise<CatalogTag> {
  return mustExist(await findTag(ctx.db, id))
}

export const createTag = (ctx: Ctx, name: string): Promise<CatalogTag> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: name })
    const taken = new Fault('conflict', 'catalog-tag-taken', { name })
    return mustFindTag(ctx, await insertTag(ctx.db, name).catch(brokenConstraint('catalog_tag_name', taken)))
  })

export const removeTag = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const { name, catalogNum: count } = await mustFindTag(ctx, id)
    note(ctx, { object: name })
    const used = new Fault('conflict', 'catalog-tag-in-use', { name, count: Math.max(1, count) })
    await deleteTag(ctx.db, id).catch(brokenConstraint('catalog_tagged_tag', used))
    return null
  })
