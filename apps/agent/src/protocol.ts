import type { z } from 'zod'
import type { AgentEvent, Reason as ReasonSchema } from '@gantry/contract/agents/events'
import type { protocol } from '@gantry/contract/agents/protocol'
import type { Work } from '@gantry/contract/agents/work'
import type { cacheLimits as ofCaches, stepProtocol } from '@gantry/contract/agents/step-protocol'
import type * as contract from '@gantry/contract/agents/protocol'
import type { outputLimits as limits } from '@gantry/contract/pipelines/conditions'
import type * as ofTerminals from '@gantry/contract/agents/terminals'
import type { Step } from '@gantry/contract/pipelines/definition'

/**
 * The contract as the agent needs it: types, and copies of a few values. Importing the values would load the schema
 * library into a process that idles on every build machine; a test compares them with the contract. Values that need no
 * schemas are in `@gantry/agent-protocol`.
 */
export type { AgentEvent, Step, Work }
export type Reason = z.infer<typeof ReasonSchema>
export type Calls = typeof protocol & typeof stepProtocol
export type Call = keyof Calls

export const pollSeconds: typeof contract.pollSeconds = 25

export const labelsOfAgent: typeof contract.labelsOfAgent = 50
export const agentLabel = /^[A-Za-z0-9]([A-Za-z0-9_.=-]{0,61}[A-Za-z0-9])?$/

export const outputLimits: typeof limits = { values: 100, value: 4096, file: 64 * 1024 }

export const cacheLimits: typeof ofCaches = { packed: 2 * 1024 ** 3, unpacked: 10 * 1024 ** 3 }

export const agentTerminalPath: typeof ofTerminals.agentTerminalPath = '/api/agent/terminals/:terminal'

export const terminalElsewhere: typeof ofTerminals.terminalElsewhere = 4404

export const paths: Record<Call, string> = {
  register: '/api/agent/register',
  claim: '/api/agent/claim',
  events: '/api/agent/jobs/:jobId/events',
  log: '/api/agent/jobs/:jobId/steps/:step/log',
  artifact: '/api/agent/jobs/:jobId/steps/:step/artifacts',
  handOn: '/api/agent/jobs/:jobId/files',
  handed: '/api/agent/jobs/:jobId/files/:from',
  report: '/api/agent/jobs/:jobId/steps/:step/reports',
  registryToken: '/api/agent/jobs/:jobId/steps/:step/registry-token',
  deploy: '/api/agent/jobs/:jobId/steps/:step/deploy',
  serve: '/api/agent/jobs/:jobId/steps/:step/serve',
  cache: '/api/agent/jobs/:jobId/steps/:step/cache',
  cached: '/api/agent/jobs/:jobId/steps/:step/cache/:entry',
  coverage: '/api/agent/jobs/:jobId/steps/:step/coverage',
  scan: '/api/agent/jobs/:jobId/steps/:step/scans',
  keepCache: '/api/agent/jobs/:jobId/steps/:step/caches',
  codeQuality: '/api/agent/jobs/:jobId/steps/:step/code-quality',
  codeQualityResult: '/api/agent/jobs/:jobId/steps/:step/code-quality/result',
}

type Params<C extends Call> = z.input<Calls[C]['params']>
type Query<C extends Call> = z.input<Calls[C]['query']>
type Body<C extends Call> = z.input<Calls[C]['body']>
export type Data<C extends Call> = z.output<Calls[C]['data']>

/** A call's parameters and JSON body; the bytes of an upload are passed separately. */
export interface CallInput<C extends Call> {
  params?: Params<C>
  query?: Query<C>
  body?: Body<C>
}

export type Claimed = NonNullable<CallInput<'claim'>['body']>
