import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { contentsTopic, harborsTopic, namespacesTopic } from './topics.ts'

/** 4 to 30 characters: lower case, digits, and _ and - except at the ends. */
const projectName = z
  .string()
  .min(4, 'harbor-project-length')
  .max(30, 'harbor-project-length')
  .regex(/^[a-z0-9][a-z0-9_-]*[a-z0-9]$/, 'harbor-project-format')

export const HarborProject = z.object({
  /** Harbor's own id. */
  projectId: z.number().int(),
  name: z.string(),
  public: z.boolean(),
  repositories: z.number().int(),
  createdAt: z.string().nullable(),
  /** The teams that it is assigned to. */
  teams: z.array(z.object({ id: z.number().int(), name: z.string() })),
})
export type HarborProject = z.infer<typeof HarborProject>

/** A project of a Harbor that is assigned to a team. */
export const Namespace = z.object({
  id: z.number().int(),
  name: z.string(),
  projectId: z.number().int(),
  harborId: z.number().int(),
  harborName: z.string(),
  /** host[:port], the beginning of image names. */
  host: z.string(),
  sandbox: z.boolean(),
  /** Whether anybody may pull from it; last read from Harbor. */
  public: z.boolean(),
  /** Last read from Harbor; null before the first time. */
  repositories: z.number().int().nullable(),
  readAt: z.string().nullable(),
  /** Whether the team's clusters may pull from it. */
  pull: z.enum(['ready', 'pending', 'failed']),
  /** Why they may not. */
  problem: z.string(),
})
export type Namespace = z.infer<typeof Namespace>

const Pattern = z.object({
  /** False: the rule applies to all that the pattern does not match. */
  fits: z.boolean(),
  /** `*` stands for a part of a name, `**` for any. */
  pattern: z.string(),
})

const Rule = z.object({
  /** Harbor's name of the rule: `latestPushedK`. */
  template: z.string(),
  /** The number of images, or of days. */
  count: z.number().nullable(),
  repositories: z.array(Pattern),
  tags: z.array(Pattern),
  disabled: z.boolean(),
})

/** The rules for a project's images, as stored in Harbor. */
export const ProjectRules = z.object({
  /** Bytes. */
  used: z.number(),
  /** Null: no limit. */
  limit: z.number().nullable(),
  /** What a clean-up of tags keeps; empty: no clean-up is configured. */
  retention: z.array(Rule),
  /** When the clean-up runs, as a cron expression; empty: only when somebody starts it. */
  schedule: z.string(),
  immutable: z.array(Rule),
})
export type ProjectRules = z.infer<typeof ProjectRules>

const one = z.strictObject({ id })
const project = z.strictObject({ id, projectId: id })

export const harborProjects = {
  list: endpoint({
    method: 'GET',
    path: '/api/harbors/:id/projects',
    access: 'admin',
    summary: 'Projects of a Harbor, with their teams; paged and searched by the Harbor',
    params: one,
    query: listQuery({ pageSize: 10 }),
    data: listOf(HarborProject),
    topics: [harborsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/harbors/:id/projects',
    access: 'admin',
    audit: 'harbor-project.create',
    summary: 'Create a project in a Harbor',
    params: one,
    body: z.strictObject({ name: projectName, public: z.boolean().default(false) }),
    data: HarborProject,
    topics: [harborsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/harbors/:id/projects/:projectId',
    access: 'admin',
    audit: 'harbor-project.delete',
    summary: 'Delete a project that has no repositories left',
    params: project,
    data: z.null(),
    topics: [harborsTopic],
  }),
  publicity: endpoint({
    method: 'PUT',
    path: '/api/harbors/:id/projects/:projectId/publicity',
    access: 'admin',
    audit: 'harbor-project.publicity',
    summary: 'Let everybody pull from a project, or only those with a right to it',
    params: project,
    query: z.strictObject({ public: z.enum(['true', 'false']) }),
    data: z.null(),
    topics: [harborsTopic],
  }),
  rules: endpoint({
    method: 'GET',
    path: '/api/harbors/:id/projects/:projectId/rules',
    access: { owner: 'harbor', by: 'id', permission: 'image_harbor_view' },
    summary: 'Quota, clean-up and immutable tags of a project, as the Harbor holds them',
    params: project,
    data: ProjectRules,
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/api/harbors/:id/assign-namespace',
    access: 'admin',
    audit: 'harbor-project.assign',
    summary: 'Set the teams of a project; their clusters pull from it within a minute',
    params: one,
    body: z.strictObject({ projectId: id, teams: z.array(id).max(1000, 'list-too-long') }),
    data: HarborProject,
    topics: [harborsTopic],
  }),
  ofTeam: endpoint({
    method: 'GET',
    path: '/api/harbors/:id/teams/:teamId',
    access: { team: 'teamId', permission: 'image_harbor_view' },
    summary: 'The projects of a Harbor that a team has',
    params: z.strictObject({ id, teamId: id }),
    data: z.array(Namespace),
    topics: [namespacesTopic],
  }),
}

export const namespaces = {
  list: endpoint({
    method: 'GET',
    path: '/api/tenants/:tenantId/registry/namespaces',
    access: { team: 'tenantId', permission: 'image_harbor_view' },
    summary: 'The projects that a team has, of all Harbors',
    params: z.strictObject({ tenantId: id }),
    query: listQuery({ pageSize: 10 }),
    data: listOf(Namespace),
    topics: [namespacesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/tenants/:tenantId/registry/namespaces/:namespaceId',
    access: { team: 'tenantId', permission: 'image_harbor_delete' },
    audit: 'harbor-namespace.delete',
    summary: 'Give a project back: its images stay in the Harbor, the team’s right to pull them goes',
    params: z.strictObject({ tenantId: id, namespaceId: id }),
    data: z.null(),
    topics: [namespacesTopic, harborsTopic],
  }),
  sync: endpoint({
    method: 'PUT',
    path: '/api/tenants/:team/harbor/:harbor/sync',
    access: { team: 'team', permission: 'image_harbor_operate' },
    audit: 'harbor.sync',
    summary: 'Read a team’s projects and rights from a Harbor again',
    params: z.strictObject({ team: id, harbor: id }),
    data: z.array(Namespace),
    topics: [namespacesTopic],
  }),
  repos: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/repos',
    access: { team: 'teamId', permission: 'image_harbor_view' },
    summary: 'Repositories of all projects that a team has in Harbors; one that does not answer is named',
    params: z.strictObject({ teamId: id }),
    query: listQuery({ pageSize: 10 }),
    data: listOf(
      z.object({
        name: z.string(),
        harborId: z.number().int(),
        harborName: z.string(),
        projectId: z.number().int(),
        namespaceId: z.number().int(),
        artifacts: z.number().int(),
        pulls: z.number().int(),
        updatedAt: z.string().nullable(),
      }),
    ).extend({ silent: z.array(z.object({ name: z.string(), problem: z.string() })) }),
    topics: [namespacesTopic, contentsTopic],
  }),
}
