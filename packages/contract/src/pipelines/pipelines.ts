import { z } from 'zod'
import { endpoint, type Keys } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { confirmation, displayName, refName, text } from '../validators.ts'
import { Group, VariablesBody } from './groups.ts'
import { Parameter, Variable } from './parameters.ts'
import { PrivateKey } from './credentials.ts'
import { Forge, repositoryUrl } from './repository-url.ts'
import { Concurrency, Pause, Retention } from './running.ts'
import { BuildState } from './states.ts'
import { secret } from '../secret.ts'
import { buildsTopic, groupsTopic, pipelinesTopic } from './topics.ts'

/** Entries of a known_hosts file. */
export const KnownHosts = z
  .string()
  .trim()
  .max(8192, 'known-hosts-format')
  .refine(
    (text) =>
      text === '' || text.split(/\r?\n/).every((line) => /^[^\s@#*?!]+ [a-z0-9@.-]+ [A-Za-z0-9+/=]+( .*)?$/.test(line)),
    'known-hosts-format',
  )

/** The source repository. Password (or token) and private key are encrypted at rest and returned as the mask. */
export const Repository = z.strictObject({
  url: repositoryUrl,
  branch: refName('branch'),
  username: z.string().max(255).default(''),
  password: secret(z.string().max(4096)).default(''),
  /** For SSH: used instead of username and password. */
  privateKey: PrivateKey.default(''),
  /** For SSH: the pinned host key. */
  knownHosts: KnownHosts.default(''),
  /** A credential of the team, used instead of username, password and private key. */
  credentialId: id.nullable().default(null),
})
export type Repository = z.infer<typeof Repository>

export const LastBuild = z.object({
  number: z.number().int(),
  state: BuildState,
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  cause: z.string(),
  userCause: z.string(),
})

export const Pipeline = z.object({
  id: z.number().int(),
  uuid: z.string(),
  /** The pipeline group. */
  appId: z.number().int(),
  groupName: z.string(),
  teamId: z.number().int(),
  /** The pipeline's name, as the specification spells the field. */
  projectName: z.string(),
  description: z.string(),
  repository: Repository.nullable(),
  lastBuild: LastBuild.nullable(),
  /** Null: its builds start. */
  paused: Pause.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Pipeline = z.infer<typeof Pipeline>

/** Who has to approve a trigger before its build begins. Without users and roles: everyone who may review. */
export const Reviewers = z.strictObject({
  count: z.number().int('review-count').min(1, 'review-count').max(10, 'review-count'),
  users: z.array(id).max(50, 'list-too-long').default([]),
  roles: z.array(id).max(50, 'list-too-long').default([]),
})
export type Reviewers = z.infer<typeof Reviewers>

/** The path of a YAML file from the root of the repository. */
export const definitionPath = z
  .string()
  .trim()
  .min(1, 'definition-path')
  .max(255, 'definition-path')
  .regex(/^(?!.*(^|\/)\.{0,2}(\/|$))[^\\\p{Cc}]+\.ya?ml$/u, 'definition-path')

/** The place of a definition outside this console: each build reads the file of its own commit. */
export const DefinitionFile = z.strictObject({
  path: definitionPath.default('.gantry.yaml'),
  /** The branch whose file the console shows; empty: the branch in the repository's settings. */
  branch: z.union([z.literal(''), refName('branch')]).default(''),
})
export type DefinitionFile = z.infer<typeof DefinitionFile>

export const Setting = z.strictObject({
  projectName: displayName(30, 'pipeline-name-too-long'),
  description: text(1000, 'description-too-long').default(''),
  repository: Repository.nullable(),
  /** Minutes; 0: the default of one week. */
  timeoutMinutes: z.number().int().min(0, 'timeout-range').max(10_080, 'timeout-range').default(0),
  /** The number of builds whose data is kept; 0: all. */
  keepBuilds: z.number().int().min(0).max(10_000).default(0),
  /** Whether builds of this pipeline may run at the same time. */
  concurrent: z.boolean().default(true),
  concurrency: Concurrency.default(Concurrency.parse({})),
  retention: Retention.default(Retention.parse({})),
  /** The forge that gets the states of builds as statuses of their commits; null: none. */
  commitStatus: Forge.nullable().default(null),
  /** Labels that an agent must have. */
  agentLabels: z.array(z.string().min(1).max(63)).max(20, 'list-too-long').default([]),
  variables: z.array(Variable).max(100, 'list-too-long').default([]),
  parameters: z.array(Parameter).max(50, 'list-too-long').default([]),
  /** Null: builds begin without a review. */
  review: Reviewers.nullable().default(null),
  /** Null: the definition is stored in this console. */
  definitionFile: DefinitionFile.nullable().default(null),
})
export type Setting = z.infer<typeof Setting>
const StoredSetting = Setting.extend({ revision: z.number().int() })
export type StoredSetting = z.infer<typeof StoredSetting>

const inGroup = z.strictObject({ appId: id, pipelineId: idOrUuid })
const one = z.strictObject({ id: idOrUuid })
const owner = (permission: Keys) => ({ owner: 'pipeline', by: 'pipelineId', permission })

export const pipelines = {
  list: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/pipelines',
    access: { team: 'teamId', permission: 'pipeline_pipeline_view' },
    summary: "A team's pipelines",
    params: z.strictObject({ teamId: id }),
    query: listQuery({ pageSize: -1 }).extend({
      projectName: z.string().max(200).optional(),
      groupId: id.optional(),
      /** A part of the repository's address. */
      repository: z.string().max(2000).optional(),
      /** `all` and the empty string filter nothing; `never`: never built. */
      state: z.enum(['all', 'never', ...BuildState.options]).optional(),
    }),
    data: listOf(Pipeline),
    topics: [buildsTopic, pipelinesTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_pipeline_view' },
    summary: 'One pipeline',
    params: one,
    data: Pipeline,
    topics: [pipelinesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/projects/:appId/pipelines/:pipelineId',
    access: owner(['pipeline_pipeline_delete', 'pipeline_build_delete']),
    audit: 'pipeline.delete',
    summary: 'Delete a pipeline with its builds, logs and artifacts; refused while a build runs',
    params: inGroup,
    query: z.strictObject({ confirm: confirmation }),
    data: z.null(),
    topics: [pipelinesTopic, groupsTopic],
  }),
  setting: endpoint({
    method: 'GET',
    path: '/api/projects/:appId/pipelines/:pipelineId/setting',
    access: owner('pipeline_pipeline_view'),
    summary: "A pipeline's settings; secrets are masked",
    params: inGroup,
    data: StoredSetting,
    topics: [pipelinesTopic],
  }),
  setSetting: endpoint({
    method: 'PUT',
    path: '/api/projects/:appId/pipelines/:pipelineId/setting',
    access: owner('pipeline_pipeline_edit'),
    audit: 'pipeline.set-setting',
    summary:
      "Set a pipeline's settings; a masked secret keeps its value, the repository is checked when it changed; refused where it would undo what somebody else changed since `revision`",
    params: inGroup,
    body: Setting.extend({
      /** The group to which the pipeline moves; absent: it stays. */
      appId: id.optional(),
      revision: z.number().int().optional(),
    }),
    data: StoredSetting,
    topics: [pipelinesTopic, groupsTopic],
  }),
  setVariables: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/globalEnvs',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_pipeline_edit' },
    audit: 'pipeline.set-variables',
    summary: "Set the pipeline's variables; a masked secret keeps its value",
    params: one,
    body: VariablesBody,
    data: z.object({ globalEnvs: z.array(Variable), revision: z.number().int() }),
    topics: [pipelinesTopic],
  }),
  clone: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:uuid/clone',
    access: { owner: 'pipeline', by: 'uuid', permission: ['pipeline_pipeline_create', 'pipeline_pipeline_edit'] },
    audit: 'pipeline.clone',
    summary: 'Clone a pipeline; its secrets stay behind where the group is of another team, its triggers are off',
    params: z.strictObject({ uuid: idOrUuid }),
    body: z.strictObject({
      projectName: displayName(30, 'pipeline-name-too-long'),
      /** Absent: the group of the original. */
      appId: id.optional(),
    }),
    data: Pipeline,
    topics: [pipelinesTopic, groupsTopic],
  }),
  /** The group is identified by one of its pipelines. */
  cloneGroup: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:uuid/clone-group',
    access: {
      owner: 'pipeline',
      by: 'uuid',
      permission: [
        'pipeline_group_create',
        'pipeline_group_edit',
        'pipeline_pipeline_create',
        'pipeline_pipeline_edit',
        'pipeline_pipeline_view',
      ],
    },
    audit: 'pipeline-group.clone',
    summary: "Clone a pipeline's group with all of its pipelines, all or none; secrets stay behind in another team",
    params: z.strictObject({ uuid: idOrUuid }),
    body: z.strictObject({
      name: displayName(30),
      /** Absent: the team of the original. */
      teamId: id.optional(),
      /** Appended to the name of each pipeline, because names are unique in a team. */
      suffix: text(20, 'pipeline-name-too-long').default(''),
    }),
    data: Group,
    topics: [pipelinesTopic, groupsTopic],
  }),
  /** Not in the specification: checks the repository before saving, for a button of the form. */
  checkRepository: endpoint({
    method: 'POST',
    path: '/api/tenants/:teamId/repositories/check',
    access: { team: 'teamId', permission: 'pipeline_pipeline_create' },
    audit: 'pipeline.check-repository',
    summary:
      'Reach a git repository and list its branches; with pipelineId a masked password or key is the stored one while the host is the same',
    params: z.strictObject({ teamId: id }),
    body: z.strictObject({ repository: Repository.partial({ branch: true }), pipelineId: id.optional() }),
    data: z.object({
      branches: z.array(z.string()),
      defaultBranch: z.string(),
      commit: z.string(),
      /** For SSH: the host key that the host presented, for the user to compare and send back as `knownHosts`. */
      hostKey: z.object({ type: z.string(), fingerprint: z.string(), knownHosts: z.string() }).nullable(),
    }),
    topics: [],
  }),
}
