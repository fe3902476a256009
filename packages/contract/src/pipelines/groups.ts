import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { displayName, text } from '../validators.ts'
import { Variable } from './parameters.ts'
import { groupsTopic, pipelinesTopic } from './topics.ts'
import { madeOn } from '../revision.ts'

export const Group = z.object({
  id: z.number().int(),
  teamId: z.number().int(),
  name: z.string(),
  description: z.string(),
  pipelineNum: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Who changed it last; empty if that was before it was recorded. */
  updatedBy: z.string(),
})
export type Group = z.infer<typeof Group>

const Variables = z.object({ variables: z.array(Variable), revision: z.number().int() })
export type GroupVariables = z.infer<typeof Variables>

/** A group in an administrator's list of the groups of all teams. */
export const TeamGroup = Group.extend({ teamName: z.string() })
export type TeamGroup = z.infer<typeof TeamGroup>

/** The specification calls them globalEnvs. */
const variables = z.array(Variable).max(100, 'list-too-long').optional()
export const VariablesBody = z
  .strictObject({ variables, globalEnvs: variables, revision: z.number().int().optional() })
  .refine((given) => (given.variables === undefined) !== (given.globalEnvs === undefined), {
    message: 'global-envs-once',
    path: ['globalEnvs'],
  })
export type VariablesBody = z.infer<typeof VariablesBody>

const body = z.strictObject({ name: displayName(30), description: text(1000, 'description-too-long').default('') })
const inTeam = z.strictObject({ teamId: id })
const one = z.strictObject({ id })

export const groups = {
  all: endpoint({
    method: 'GET',
    path: '/api/projects',
    access: 'admin',
    summary: 'The pipeline groups of all teams',
    query: listQuery({ pageSize: 10 }),
    data: listOf(TeamGroup),
    topics: [groupsTopic],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/groups',
    access: { team: 'teamId', permission: 'pipeline_group_view' },
    summary: "A team's pipeline groups",
    params: inTeam,
    query: listQuery({ pageSize: 10 }),
    data: listOf(Group),
    topics: [pipelinesTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/tenants/:teamId/groups',
    access: { team: 'teamId', permission: 'pipeline_group_create' },
    audit: 'pipeline-group.create',
    summary: 'Create a pipeline group',
    params: inTeam,
    body,
    data: Group,
    topics: [pipelinesTopic, groupsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/groups/:pipelineGroupId',
    access: { team: 'teamId', permission: 'pipeline_group_view' },
    summary: 'One pipeline group',
    params: z.strictObject({ teamId: id, pipelineGroupId: id }),
    data: Group,
    topics: [pipelinesTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/projects/:id',
    access: { owner: 'pipeline-group', by: 'id', permission: 'pipeline_group_edit' },
    audit: 'pipeline-group.update',
    summary: 'Rename a pipeline group or change its description; 404 where `teamId` names another team than its own',
    params: one,
    query: z.strictObject({ teamId: id.optional() }),
    body: body.extend(madeOn),
    data: Group,
    topics: [pipelinesTopic, groupsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/projects/:id',
    access: { owner: 'pipeline-group', by: 'id', permission: 'pipeline_group_delete' },
    audit: 'pipeline-group.delete',
    summary: 'Delete a pipeline group without pipelines',
    params: one,
    data: z.null(),
    topics: [pipelinesTopic, groupsTopic],
  }),
  count: endpoint({
    method: 'GET',
    path: '/api/projects/:id/count',
    access: { owner: 'pipeline-group', by: 'id', permission: 'pipeline_group_view' },
    summary: 'How many pipelines a group has',
    params: one,
    data: z.object({ pipelines: z.number().int() }),
    topics: [pipelinesTopic],
  }),
  variables: endpoint({
    method: 'GET',
    path: '/api/projects/:id/globalEnvs',
    access: { owner: 'pipeline-group', by: 'id', permission: 'pipeline_group_view' },
    summary: "Variables that every build of the group's pipelines sees; secrets are masked",
    params: one,
    data: Variables,
    topics: [pipelinesTopic],
  }),
  setVariables: endpoint({
    method: 'PUT',
    path: '/api/projects/:id/globalEnvs',
    access: { owner: 'pipeline-group', by: 'id', permission: 'pipeline_group_edit' },
    audit: 'pipeline-group.set-variables',
    summary:
      "Set the group's variables; a masked secret keeps its value; refused when someone else saved since `revision`",
    params: one,
    body: VariablesBody,
    data: Variables,
    topics: [pipelinesTopic],
  }),
}
