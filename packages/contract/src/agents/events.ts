import { z } from 'zod'
import { outputLimits } from '../pipelines/conditions.ts'
import { StepState } from '../pipelines/states.ts'
import { dictionary, envKey } from '../validators.ts'

/** A step's position in its build. */
export const stepIndex = z.coerce.number().int().min(0).max(10_000)

/** Why a step failed, as a phrase key and its values, so that it can be read in both languages. */
export const Reason = z.strictObject({
  key: z.string().max(100),
  vars: dictionary(z.string().max(50), z.union([z.string().max(4000), z.number()]), 50).default({}),
})
export type Reason = z.infer<typeof Reason>

/** Events are numbered from 1 within an attempt; a repeated one is ignored, a gap is refused with 409. */
export const AgentEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('step'),
    step: stepIndex,
    state: StepState,
    exitCode: z.number().int().nullable().optional(),
    reason: Reason.optional(),
    /** Epoch milliseconds of the agent's clock; the server orders events by arrival and shows its own times. */
    at: z.number(),
  }),
  z.strictObject({ type: z.literal('commit'), commit: z.string().max(64), message: z.string().max(1000) }),
  z.strictObject({
    type: z.literal('image'),
    step: stepIndex,
    image: z.string().max(600),
    tag: z.string().max(128),
    digest: z.string().max(200),
    size: z.number().int(),
    registryId: z.number().int(),
  }),
  /** Outputs of a step for later steps; secrets in them are masked. */
  z.strictObject({
    type: z.literal('output'),
    step: stepIndex,
    values: dictionary(envKey, z.string().max(outputLimits.value), outputLimits.values),
  }),
  /** The last event of an attempt: the server ends the job once every log is complete up to its length in `logs`. */
  z.strictObject({
    type: z.literal('end'),
    state: z.enum(['success', 'failed', 'aborted']),
    reason: Reason.optional(),
    /** The length of each step's log in bytes. */
    logs: z.array(z.strictObject({ step: stepIndex, bytes: z.number().int().min(0) })).max(10_000),
  }),
])
export type AgentEvent = z.infer<typeof AgentEvent>
