import type { z } from 'zod'
import type { AgentEvent, Reason as ReasonSchema, Work, protocol } from '@gantry/contract/agents/protocol'
import type * as contract from '@gantry/contract/agents/protocol'
import type { outputLimits as limits } from '@gantry/contract/pipelines/conditions'
import type { Step } from '@gantry/contract/pipelines/definition'

/**
 * The contract as the agent needs it: types, and the few values again. Importing the values would bring the schema library
 * into a process that idles on every build machine; a test compares them with the contract. What needs no schemas is
 * `@gantry/agent-protocol`.
 */
export type { AgentEvent, Step, Work }
export type Reason = z.infer<typeof ReasonSchema>
export type Calls = typeof protocol
export type Call = keyof Calls

export const pollSeconds: typeof contract.pollSeconds = 25

export const outputLimits: typeof limits = { values: 100, value: 4096, file: 64 * 1024 }

export const paths: Record<Call, string> = {
  claim: '/api/agent/claim',
  events: '/api/agent/jobs/:jobId/events',
  log: '/api/agent/jobs/:jobId/steps/:step/log',
  artifact: '/api/agent/jobs/:jobId/steps/:step/artifacts',
  handOn: '/api/agent/jobs/:jobId/files',
  handed: '/api/agent/jobs/:jobId/files/:from',
  report: '/api/agent/jobs/:jobId/steps/:step/reports',
  registryToken: '/api/agent/jobs/:jobId/steps/:step/registry-token',
  deploy: '/api/agent/jobs/:jobId/steps/:step/deploy',
}

type Params<C extends Call> = z.input<Calls[C]['params']>
type Query<C extends Call> = z.input<Calls[C]['query']>
type Body<C extends Call> = z.input<Calls[C]['body']>
export type Data<C extends Call> = z.output<Calls[C]['data']>

/** A call's path and JSON body; uploads carry their bytes beside it. */
export interface CallInput<C extends Call> {
  params?: Params<C>
  query?: Query<C>
  body?: Body<C>
}
