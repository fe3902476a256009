import { limits } from '@gantry/contract/config-centre/names'
import type { Rendered, Template, TemplateInput, TemplateRow } from '@gantry/contract/config-centre/templates'
import type { List } from '@gantry/contract/paging'
import { maxFileBytes } from '@gantry/contract/stacks/spec-storage'
import { mask } from '@gantry/contract/validators'
import type { z } from 'zod'
import { brokenConstraint } from '../../db/constraint.ts'
import { sorting } from '../../db/list.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { page } from '../../kernel/paging.ts'
import { entriesOf } from './entries.store.ts'
import { listProfiles } from './profiles.store.ts'
import { lockedProject, mustFindProject } from './projects.service.ts'
import { lockProject, touchProject } from './projects.store.ts'
import { mustBeUnread, mustStillRun, rollOut } from './readers.service.ts'
import { keysIn, render, renderedSize } from './render.ts'
import {
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  measureTemplates,
  type StoredTemplate,
  updateTemplate,
} from './templates.store.ts'

type Input = z.infer<typeof TemplateInput>
type Query = { keyword?: string | undefined; sort?: string | undefined } & Parameters<typeof page>[0]

const toTemplate = ({ projectId: _, ...template }: StoredTemplate): Template => template

const nameOf = ({ project, name }: Pick<Template, 'project' | 'name'>): string => `${project}/${name}`

export async function readTemplates(
  ctx: Ctx,
  teamId: number,
  project: string,
  query: Query,
): Promise<List<TemplateRow>> {
  const { id } = await mustFindProject(ctx, teamId, project)
  return listTemplates(ctx.db, id, query.keyword ?? '', sorting(query.sort, ['name', 'updatedAt']), page(query))
}

async function mustFindTemplate(
  ctx: Ctx,
  teamId: number,
  uuid: string,
  how: { lock?: boolean } = {},
): Promise<StoredTemplate> {
  return mustExist(await findTemplate(ctx.db, teamId, uuid, how))
}

export const readTemplate = async (ctx: Ctx, teamId: number, uuid: string): Promise<Template> =>
  toTemplate(await mustFindTemplate(ctx, teamId, uuid))

/** Throws 409 if a project exceeds its limits. */
async function mustFit(ctx: Ctx, projectId: number): Promise<void> {
  const { count, size } = await measureTemplates(ctx.db, projectId)
  if (count > limits.templates) throw new Fault('conflict', 'config-templates-limit', { limit: limits.templates })
  if (size > limits.templateSet)
    throw new Fault('conflict', 'config-template-set-limit', { limit: limits.templateSet, size })
}

const nameTaken = (project: string, name: string) =>
  brokenConstraint('config_template_name', new Fault('conflict', 'config-template-taken', { project, name }))

export const createTemplate = (ctx: Ctx, teamId: number, project: string, given: Input): Promise<Template> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: nameOf({ project, name: given.name }), after: given })
    const { id } = await lockedProject(ctx, teamId, project)
    const by = ctx.actor.name
    const uuid = await insertTemplate(ctx.db, id, { ...given, by }).catch(nameTaken(project, given.name))
    await mustFit(ctx, id)
    await touchProject(ctx.db, id, by)
    return readTemplate(ctx, teamId, uuid)
  })

export const changeTemplate = (
  ctx: Ctx,
  teamId: number,
  uuid: string,
  { revision, ...given }: Input & { revision?: number | undefined },
): Promise<Template> =>
  inTx(ctx, async (ctx) => {
    const { project, projectId, name } = await mustFindTemplate(ctx, teamId, uuid)
    const known = await rollOut(ctx, teamId, { project, template: name })
    await lockProject(ctx.db, projectId)
    const before = await mustFindTemplate(ctx, teamId, uuid, { lock: true })
    note(ctx, { object: nameOf(before), before: { name: before.name, content: before.content }, after: given })
    if (revision !== undefined && revision !== before.revision)
      throw new Fault('conflict', 'config-template-changed', {
        name: before.name,
        by: before.updatedBy,
        revision: before.revision,
      })
    // services refer to it by name
    if (given.name !== before.name)
      await mustBeUnread(ctx, teamId, { project, template: before.name }, 'config-name-in-use', nameOf(before))
    const by = ctx.actor.name
    await updateTemplate(ctx.db, uuid, { ...given, by }).catch(nameTaken(project, given.name))
    await mustFit(ctx, projectId)
    await mustStillRun(ctx, teamId, { project, template: given.name }, known)
    await touchProject(ctx.db, projectId, by)
    return readTemplate(ctx, teamId, uuid)
  })

export const removeTemplate = (ctx: Ctx, teamId: number, uuid: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    // read after locking: a service may have begun to read it meanwhile
    const before = await mustFindTemplate(ctx, teamId, uuid, { lock: true })
    const { project, name, content } = before
    note(ctx, { object: nameOf(before), before: { name, content } })
    await mustBeUnread(ctx, teamId, { project, template: name }, 'config-in-use', nameOf(before))
    await deleteTemplate(ctx.db, uuid)
    await touchProject(ctx.db, before.projectId, ctx.actor.name)
    return null
  })

/** The template rendered with each profile, secret values masked. */
export async function readRendered(ctx: Ctx, teamId: number, uuid: string, query: Query): Promise<List<Rendered>> {
  const { content, projectId, name } = await mustFindTemplate(ctx, teamId, uuid)
  const order = sorting(query.sort, ['name', 'updatedAt'])
  const profiles = await listProfiles(ctx.db, projectId, query.keyword ?? '', order, page(query))
  const keys = keysIn(content)
  const items: Rendered[] = []
  for (const profile of profiles.items) {
    const entries = await entriesOf(ctx.db, profile.uuid)
    const values = new Map(entries.map(({ key, value, secret }) => [key, secret ? mask : value]))
    const missing = keys.filter((key) => !values.has(key))
    const sizes = new Map([...values].map(([key, value]) => [key, Buffer.byteLength(value)]))
    if (renderedSize(content, sizes) > maxFileBytes)
      throw new Fault('conflict', 'config-rendered-too-large', { template: name, profile: profile.name })
    items.push({
      uuid: profile.uuid,
      profile: profile.name,
      text: missing.length > 0 ? null : render(content, values),
      missing,
    })
  }
  return { ...profiles, items }
}
