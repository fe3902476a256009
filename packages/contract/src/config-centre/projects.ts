import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { text } from '../validators.ts'
import { base, edit, ProjectName, view } from './names.ts'
import { configurationsTopic } from './topics.ts'

/** Configurations that belong together: profiles with the same keys, and templates that are filled from them. */
export const Project = z.object({
  name: z.string(),
  description: z.string(),
  profiles: z.number().int(),
  templates: z.number().int(),
  /** The number of services that read one of its profiles. */
  services: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string(),
})
export type Project = z.infer<typeof Project>

export const ProjectInput = z.strictObject({
  name: ProjectName,
  description: text(1000, 'description-too-long').default(''),
})

const inTeam = z.strictObject({ teamId: id })
const one = z.strictObject({ teamId: id, name: ProjectName })

export const configProjects = {
  list: endpoint({
    method: 'GET',
    path: `${base}/projects`,
    access: view,
    summary: 'Configuration projects of a team; with `reverse_logic` those whose name does not begin with `prefix`',
    params: inTeam,
    query: listQuery({ pageSize: 10 }).extend({
      prefix: z.string().max(64, 'name-too-long').optional(),
      reverse_logic: z.enum(['true', 'false']).default('false'),
    }),
    data: listOf(Project),
    topics: [configurationsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: `${base}/projects`,
    access: edit,
    audit: 'config-project.create',
    summary: 'Create a configuration project',
    params: inTeam,
    body: ProjectInput,
    data: Project,
    topics: [configurationsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${base}/projects/:name`,
    access: edit,
    audit: 'config-project.delete',
    summary: 'Delete a project with its profiles and templates, unless a service reads one of them',
    params: one,
    data: z.null(),
    topics: [configurationsTopic],
  }),
  clone: endpoint({
    method: 'POST',
    path: `${base}/projects/:name/clone`,
    access: edit,
    audit: 'config-project.clone',
    summary: 'Copy a project with its profiles, their secrets included, and its templates',
    params: one,
    body: z.strictObject({ name: ProjectName }),
    data: Project,
    topics: [configurationsTopic],
  }),
}
