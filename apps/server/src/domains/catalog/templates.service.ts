import type { CatalogTemplate, CatalogTemplateInput, CatalogTemplateRow } from '@gantry/contract/catalog/templates'
import type { List } from '@gantry/contract/paging'
import { isLower, platformVersion } from '@gantry/tosca/version'
import { brokenConstraint } from '../../db/constraint.ts'
import { mustHold, visibleTeams } from '../../identity/access.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { checkText, refuseProblems, shownBlueprint } from '../blueprints/public.ts'
import { findCatalog, teamsOfCatalog } from './catalogs.store.ts'
import {
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  type StoredTemplate,
  updateTemplate,
  useOf,
  type Written,
} from './templates.store.ts'

const titleOf = ({ catalogName, version }: { catalogName: string; version: string }) => `${catalogName} ${version}`

/** The version, optionally locked; 404 if there is none. */
async function mustFind(ctx: Ctx, id: number, how?: { lock: boolean }): Promise<StoredTemplate> {
  return mustExist(await findTemplate(ctx.db, id, how))
}

/** Teams whose stacks are counted for the caller; for an administrator all, whichever is chosen in the console. */
const countedTeams = async (ctx: Ctx) => (ctx.actor.admin ? undefined : visibleTeams(ctx))

export async function readTemplates(
  ctx: Ctx,
  { catalogId, teamId, keyword }: { catalogId: number; teamId: number | undefined; keyword: string },
  at: Page,
): Promise<List<CatalogTemplateRow>> {
  if (teamId !== undefined) {
    await mustHold(ctx, teamId, 'product_blueprint_view')
    const teams = await teamsOfCatalog(ctx.db, catalogId)
    if (teams !== 'every' && !teams?.includes(teamId)) throw new Fault('missing', 'resource-missing')
  }
  const filter = { catalogId, keyword, published: teamId !== undefined || !ctx.actor.admin }
  const teams = teamId === undefined ? await countedTeams(ctx) : [teamId]
  const { items, total } = await listTemplates(ctx.db, { ...filter, teams }, at)
  return toList(items.map(shownBlueprint), total, at)
}

export async function getTemplate(ctx: Ctx, id: number): Promise<CatalogTemplate> {
  const found = mustExist(await findTemplate(ctx.db, id, { teams: await countedTeams(ctx) }))
  return shownBlueprint(found)
}

/** Checks the template; its problems are reported like those of a product's blueprint. */
async function checked(ctx: Ctx, input: CatalogTemplateInput): Promise<Written> {
  const read = await checkText(input.template)
  refuseProblems(ctx.lang, read)
  const { version: toscaVersion } = read.template
  if (isLower(toscaVersion)) throw new Fault('invalid', 'tips-tosaca-version', { version: platformVersion })
  if (input.published && read.services.length === 0)
    throw new Fault('conflict', 'blueprints-empty', { version: input.version })
  return { ...input, toscaVersion, serviceNum: read.services.length, by: ctx.actor.name }
}

const storing = <T>(write: Promise<T>, version: string): Promise<T> =>
  write.catch(brokenConstraint('catalog_template_version', new Fault('conflict', 'catalog-version-taken', { version })))

export async function createTemplate(
  ctx: Ctx,
  { catalogId, ...input }: CatalogTemplateInput & { catalogId: number },
): Promise<CatalogTemplate> {
  note(ctx, { object: input.version, after: input })
  const wanted = await checked(ctx, input)
  return inTx(ctx, async (ctx) => {
    const catalog = mustExist(await findCatalog(ctx.db, catalogId, { lock: true }))
    note(ctx, { object: titleOf({ catalogName: catalog.name, version: input.version }) })
    return getTemplate(ctx, await storing(insertTemplate(ctx.db, catalogId, wanted), input.version))
  })
}

export async function changeTemplate(
  ctx: Ctx,
  id: number,
  { revision, ...input }: CatalogTemplateInput & { revision?: number | undefined },
): Promise<CatalogTemplate> {
  await mustFind(ctx, id)
  const wanted = await checked(ctx, input)
  return inTx(ctx, async (ctx) => {
    const before = await mustFind(ctx, id, { lock: true })
    const { version, notes, template, published } = before
    note(ctx, { object: titleOf(before), before: { version, notes, template, published }, after: input })
    if (revision !== undefined && revision !== before.revision)
      throw new Fault('conflict', 'blueprints-changed-since', {
        name: titleOf(before),
        by: before.updatedBy,
        revision: before.revision,
      })
    await storing(updateTemplate(ctx.db, id, wanted), input.version)
    return getTemplate(ctx, id)
  })
}

export const removeTemplate = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const before = await mustFind(ctx, id, { lock: true })
    const name = titleOf(before)
    note(ctx, { object: name, before: { notes: before.notes, published: before.published } })
    const use = await useOf(ctx.db, { id })
    if (use) throw new Fault('conflict', 'catalog-version-in-use', { name, ...use })
    // a stack deployed at this very moment is refused by a constraint, or makes this fail
    await deleteTemplate(ctx.db, id).catch(
      brokenConstraint('stack_template', new Fault('conflict', 'catalog-used-meanwhile', { name })),
    )
    return null
  })
