import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { ExecutorName, OsType } from '../pipelines/definition.ts'
import { JobState } from '../pipelines/states.ts'
import { dottedName } from '../validators.ts'
import { agentLabel, labelsOfAgent } from './protocol.ts'
import { agentsTopic } from './topics.ts'

/** The machine that an agent runs on, as the agent reports it; sizes in bytes, 0 where it does not know. */
export const Machine = z.object({
  name: z.string(),
  /** The operating system with its release. */
  system: z.string(),
  architecture: z.string(),
  cpus: z.number().int(),
  memory: z.number().int(),
  /** Of the file system where builds have their workspaces. */
  disk: z.number().int(),
  diskFree: z.number().int(),
})
export type Machine = z.infer<typeof Machine>

export const AgentRow = z.object({
  id: z.number().int(),
  uuid,
  name: z.string(),
  osType: z.string(),
  /** All that its builds may ask for: `givenLabels` and `ownLabels`. */
  labels: z.array(z.string()),
  /** Set here. */
  givenLabels: z.array(z.string()),
  /** Reported by the agent: its GANTRY_AGENT_LABELS. */
  ownLabels: z.array(z.string()),
  capacity: z.number().int(),
  running: z.number().int(),
  /** online: seen within 60 s. */
  state: z.enum(['online', 'offline', 'never']),
  /** It ends what it runs and takes no more builds. */
  paused: z.boolean(),
  /** It was asked to empty its workspaces and has not reported that it did. */
  cleaning: z.boolean(),
  /** The only team whose builds it takes; null: all teams. */
  teamId: z.number().int().nullable(),
  teamName: z.string(),
  /** The cluster that its jobs in Kubernetes run in; null: not said, and images limited to clusters do not run there. */
  environment: uuid.nullable(),
  environmentName: z.string(),
  version: z.string(),
  /** Which of the two is older, where the agent's protocol and the server's differ. */
  update: z.enum(['agent', 'server']).nullable(),
  isolated: z.boolean(),
  /** Why there is no room for another job in its cluster, as the cluster says it; '' while there is. */
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
  /** Until when its token is good, where it has not registered yet. */
  tokenUntil: z.string().nullable(),
  /** Since when it is silent, and what it was; null while it is online or was never seen. */
  offline: z.object({ since: z.string(), version: z.string() }).nullable(),
})
export type AgentDetail = z.infer<typeof AgentDetail>

/** A job of a build, as an agent's screens show it. */
export const AgentJob = z.object({
  jobId: z.number().int(),
  /** The pipeline's name. */
  name: z.string(),
  pipelineId: z.number().int(),
  appId: z.number().int(),
  teamId: z.number().int(),
  teamName: z.string(),
  number: z.number().int(),
  queueId: z.number().int(),
  /** Which of the build's jobs; empty where it is the steps of plain stages. */
  job: z.string(),
  state: JobState,
  attempt: z.number().int(),
  queuedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
export type AgentJob = z.infer<typeof AgentJob>

/** What is needed to start an agent. The token is good once, within a day, and is shown only now. */
const Registration = z.object({
  id: z.number().int(),
  name: z.string(),
  token: z.string(),
  until: z.string(),
  /** The lines to copy, each a way of its own; a way that does not exist for the operating system is null. */
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
  /** Ours: one file that any Node runs, without a folder of packages beside it. */
  program: endpoint({
    method: 'GET',
    path: '/api/agent/gantry-agent.mjs',
    access: 'public',
    summary: 'The program of a build agent, of this version of the server',
    stream: 'text/javascript; charset=utf-8',
    data: z.unknown(),
  }),
  /** Ours. */
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
  /** Ours: capacity, labels, team and cluster, which stays without one; `revision` is the one that was read. */
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
  /** Ours. */
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
  /** Ours: for a machine that was lost or set up anew. */
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
  /** `name` is the pipeline's: a wrong number alone stops nothing. */
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
