import type { z } from 'zod'
import type { AgentEvent, Reason as ReasonSchema, Work, protocol } from '@gantry/contract/agents/protocol'
import type * as contract from '@gantry/contract/agents/protocol'
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

export const paths: Record<Call, string> = {
  claim: '/api/agent/claim',
  events: '/api/agent/builds/:buildId/events',
  log: '/api/agent/builds/:buildId/steps/:step/log',
  artifact: '/api/agent/builds/:buildId/steps/:step/artifacts',
  report: '/api/agent/builds/:buildId/steps/:step/reports',
  registryToken: '/api/agent/builds/:buildId/steps/:step/registry-token',
  deploy: '/api/agent/builds/:buildId/steps/:step/deploy',
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
