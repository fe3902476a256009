import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { ExecutorName, OsType } from '../pipelines/definition.ts'
import { JobState } from '../pipelines/states.ts'
import { dottedName } from '../validators.ts'
import { agentLabel, labelsOfAgent } from './protocol.ts'
import { agentsTopic } from './topics.ts'

/** The machine of an agent, as the agent reports it; sizes in bytes, 0 if unknown. */
export const Machine = z.object({
  name: z.string(),
  /** The operating system and its release. */
  system: z.string(),
  architecture: z.string(),
  cpus: z.number().int(),
  memory: z.number().int(),
  /** The size of the file system that holds the workspaces. */
  disk: z.number().int(),
  diskFree: z.number().int(),
})
export type Machine = z.infer<typeof Machine>

export const AgentRow = z.object({
  id: z.number().int(),
  uuid,
  name: z.string(),
  osType: z.string(),
  /** All labels that its builds may require: `givenLabels` and `ownLabels`. */
  labels: z.array(z.string()),
  /** Labels set on the server. */
  givenLabels: z.array(z.string()),
  /** Labels that the agent reports: its GANTRY_AGENT_LABELS. */
  ownLabels: z.array(z.string()),
  capacity: z.number().int(),
  running: z.number().int(),
  /** online: seen within 60 s. */
  state: z.enum(['online', 'offline', 'never']),
  /** It finishes its current jobs and takes no new ones. */
  paused: z.boolean(),
  /** It was told to delete its workspaces and has not reported that it did. */
  cleaning: z.boolean(),
  /** The only team whose builds it runs; null: all teams. */
  teamId: z.number().int().nullable(),
  teamName: z.string(),
  /** The cluster of its Kubernetes jobs; null: unknown, and images limited to clusters do not run there. */
  environment: uuid.nullable(),
  environmentName: z.string(),
  version: z.string(),
  /** Which side is older, if the protocol versions of the agent and the server differ. */
  update: z.enum(['agent', 'server']).nullable(),
  isolated: z.boolean(),
  /** Why its cluster has no room for another job, in the cluster's words; '' while there is room. */
  waits: z.string(),
  executors: z.array(ExecutorName),
  embedded: z.boolean(),
  lastSeenAt: z.string().nullable(),
  revision: z.number().int(),
})
export type AgentRow = z.infer<typeof AgentRow>

export const AgentDetail = AgentRow.extend({
  createdAt: z.string(),
  cleanedAt: z.string().nullable(),
  machine: Machine.nullable(),
  protocol: z.string(),
  /** When its token expires; null once it has registered. */
  tokenUntil: z.string().nullable(),
  /** Since when it is offline, and its last version; null while it is online or was never seen. */
  offline: z.object({ since: z.string(), version: z.string() }).nullable(),
})
export type AgentDetail = z.infer<typeof AgentDetail>

/** A job of a build, as the screens of agents show it. */
export const AgentJob = z.object({
  jobId: z.number().int(),
  /** The name of the pipeline. */
  name: z.string(),
  pipelineId: z.number().int(),
  appId: z.number().int(),
  teamId: z.number().int(),
  teamName: z.string(),
  number: z.number().int(),
  queueId: z.number().int(),
  /** The name of the job; empty for the steps of stages without jobs. */
  job: z.string(),
  state: JobState,
  attempt: z.number().int(),
  queuedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
export type AgentJob = z.infer<typeof AgentJob>

/** What is needed to start an agent. The token can be used once, within a day, and is shown only in this answer. */
const Registration = z.object({
  id: z.number().int(),
  name: z.string(),
  token: z.string(),
  until: z.string(),
  /** The lines to copy, one for each way to start it; null if the operating system does not support the way. */
  ways: z.object({ file: z.string(), container: z.string().nullable(), kubernetes: z.string().nullable() }),
})
export type Registration = z.infer<typeof Registration>

const capacity = z.number().int('agents-capacity').min(1, 'agents-capacity').max(100, 'agents-capacity')
const labels = z.array(agentLabel).max(labelsOfAgent, 'list-too-long')
const one = z.strictObject({ id })
const view = { system: 'system_agent_view' } as const

export const agents = {
  list: endpoint({
    method: 'GET',
    path: '/api/agents',
    access: view,
    summary: 'Build agents',
    data: z.array(AgentRow),
    topics: [agentsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/agents',
    access: 'admin',
    audit: 'agent.create',
    summary: 'Add a build agent: answers its one-time token and the lines that start it',
    body: z.strictObject({
      name: dottedName(63),
      labels: labels.default([]),
      capacity: capacity.default(2),
      osType: OsType.default('linux'),
      teamId: id.nullable().default(null),
      environment: uuid.nullable().default(null),
    }),
    data: Registration,
    topics: [agentsTopic],
  }),
  /** Not in the specification: a single file that runs with any Node, without a folder of packages. */
  program: endpoint({
    method: 'GET',
    path: '/api/agent/gantry-agent.mjs',
    access: 'public',
    summary: 'The program of a build agent, of this version of the server',
    stream: 'text/javascript; charset=utf-8',
    data: z.unknown(),
  }),
  /** Not in the specification. */
  hosts: endpoint({
    method: 'GET',
    path: '/api/agents/hosts',
    access: view,
    summary: 'The machines that build agents run on, as the agents report them',
    query: listQuery(),
    data: listOf(
      Machine.extend({
        agents: z.array(z.object({ id: z.number().int(), name: z.string(), state: z.enum(['online', 'offline']) })),
        seenAt: z.string(),
      }),
    ),
    topics: [agentsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/agents/:id',
    access: view,
    summary: 'One build agent, with its machine',
    params: one,
    data: AgentDetail,
    topics: [agentsTopic],
  }),
  /** Not in the specification. Without `environment` the cluster stays; `revision` is the one that was read. */
  update: endpoint({
    method: 'PUT',
    path: '/api/agents/:id',
    access: 'admin',
    audit: 'agent.update',
    summary:
      "Set a build agent's labels, capacity, team and cluster; refused where somebody changed it since `revision`",
    params: one,
    body: z.strictObject({
      labels,
      capacity,
      teamId: id.nullable(),
      environment: uuid.nullable().optional(),
      revision: z.number().int(),
    }),
    data: AgentDetail,
    topics: [agentsTopic],
  }),
  /** Not in the specification. */
  pause: endpoint({
    method: 'POST',
    path: '/api/agents/:id/pause',
    access: 'admin',
    audit: 'agent.pause',
    summary: 'Let a build agent take no more builds, or take them again; what it runs goes on',
    params: one,
    body: z.strictObject({ paused: z.boolean() }),
    data: AgentDetail,
    topics: [agentsTopic],
  }),
  /** Not in the specification: for a machine that was lost or reinstalled. */
  renew: endpoint({
    method: 'POST',
    path: '/api/agents/:id/token',
    access: 'admin',
    audit: 'agent.renew',
    summary: "Answer another one-time token; the agent's credential is revoked at once",
    params: one,
    data: Registration,
    topics: [agentsTopic],
  }),
  remove: endpoint({
    method: 'GET',
    path: '/api/agents/:id',
    action: 'REMOVE',
    access: 'admin',
    audit: 'agent.delete',
    summary: 'Remove a build agent; its credential is revoked at once. Refused while it runs builds',
    params: one,
    data: z.null(),
    topics: [agentsTopic],
  }),
  clean: endpoint({
    method: 'GET',
    path: '/api/agents/:id',
    action: 'CLEAN',
    access: 'admin',
    audit: 'agent.clean',
    summary: 'Have a build agent empty its workspaces and caches. Refused while it runs builds',
    params: one,
    data: z.null(),
    topics: [agentsTopic],
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/agents/:id/history',
    access: view,
    summary: 'The jobs that a build agent ran, the last that ended first',
    params: one,
    query: listQuery(),
    data: listOf(AgentJob),
    topics: [agentsTopic],
  }),
  queues: endpoint({
    method: 'GET',
    path: '/api/agents/:id/queues',
    access: view,
    summary: 'Queued jobs that a build agent may take, in their order',
    params: one,
    query: listQuery(),
    data: listOf(AgentJob),
    topics: [agentsTopic],
  }),
  jobs: endpoint({
    method: 'GET',
    path: '/api/agents/:id/jobs',
    access: view,
    summary: 'The jobs that a build agent runs',
    params: one,
    data: z.array(AgentJob),
    topics: [agentsTopic],
  }),
  /** `name` is the pipeline's name, so that a wrong number alone stops no job. */
  stopJob: endpoint({
    method: 'DELETE',
    path: '/api/agents/:id/jobs/:name/:jobId/stop',
    access: 'admin',
    audit: 'agent.stop-job',
    summary: 'Stop the build of a job that a build agent runs',
    params: z.strictObject({ id, name: z.string().min(1).max(200), jobId: id }),
    data: z.null(),
    topics: [agentsTopic],
  }),
}
