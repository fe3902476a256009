import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { base, edit, limits, ProjectName, revision, TemplateName, view } from './names.ts'
import { configurationsTopic } from './topics.ts'

/** A file of a project in which `${KEY}` is replaced by the value of a profile's key. */
export const TemplateRow = z.object({
  uuid: z.string(),
  project: z.string(),
  /** The name of the file. */
  name: z.string(),
  /** In bytes. */
  size: z.number().int(),
  /** The number of services that mount it as a file. */
  services: z.number().int(),
  revision: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string(),
})
export type TemplateRow = z.infer<typeof TemplateRow>

export const Template = TemplateRow.extend({ content: z.string() })
export type Template = z.infer<typeof Template>

export const TemplateInput = z.strictObject({
  name: TemplateName,
  content: z
    .string()
    .max(limits.template, 'config-template-too-long')
    .refine((content) => !content.includes('\0'), 'text-hidden-characters')
    .default(''),
})

/** A template filled from one profile. */
export const Rendered = z.object({
  uuid: z.string(),
  profile: z.string(),
  /** Secret values are masked; null if keys are missing. */
  text: z.string().nullable(),
  /** Keys that the template needs and the profile lacks. */
  missing: z.array(z.string()),
})
export type Rendered = z.infer<typeof Rendered>

const ofProject = z.strictObject({ teamId: id, name: ProjectName })
const one = z.strictObject({ teamId: id, uuid })

export const configTemplates = {
  list: endpoint({
    method: 'GET',
    path: `${base}/projects/:name/templates`,
    access: view,
    summary: 'Templates of a project, without their text',
    params: ofProject,
    query: listQuery({ pageSize: 10 }),
    data: listOf(TemplateRow),
    topics: [configurationsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: `${base}/projects/:name/templates`,
    access: edit,
    audit: 'config-template.create',
    summary: 'Add a template',
    params: ofProject,
    body: TemplateInput,
    data: Template,
    topics: [configurationsTopic],
  }),
  /** Not in the specification: the list does not contain the texts. */
  get: endpoint({
    method: 'GET',
    path: `${base}/templates/:uuid`,
    access: view,
    summary: 'One template with its text',
    params: one,
    data: Template,
    topics: [configurationsTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: `${base}/templates/:uuid`,
    access: edit,
    audit: 'config-template.update',
    summary: 'Change a template; one that a service has keeps its name. Refused where somebody saved since `revision`',
    params: one,
    body: TemplateInput.extend({ revision }),
    data: Template,
    topics: [configurationsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${base}/templates/:uuid`,
    access: edit,
    audit: 'config-template.delete',
    summary: 'Delete a template that no service has as a file',
    params: one,
    data: z.null(),
    topics: [configurationsTopic],
  }),
  rendered: endpoint({
    method: 'GET',
    path: `${base}/templates/:templateId/profiles`,
    access: view,
    summary: 'What a template comes to with each profile of its project, or the keys that this lacks',
    params: z.strictObject({ teamId: id, templateId: uuid }),
    query: listQuery({ pageSize: 10 }),
    data: listOf(Rendered),
    topics: [configurationsTopic],
  }),
}
