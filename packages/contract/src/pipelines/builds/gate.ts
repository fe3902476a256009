import { z } from 'zod'
import { Parameter } from '../parameters.ts'

/** A stage that waited for people. */
export const BuildGate = z.object({
  mode: z.enum(['manual', 'approve']),
  /** `over`: the build ended for another reason. */
  state: z.enum(['waiting', 'passed', 'rejected', 'expired', 'over']),
  /** Names of the users who may decide; empty: everyone with the permission. */
  users: z.array(z.string()),
  roles: z.array(z.string()),
  count: z.number().int(),
  /** The parameters that a decision sets, with their present values: an approval is for these values. */
  parameters: z.record(z.string(), z.string()),
  /** Names of the parameters whose values are secret, and masked. */
  secrets: z.array(z.string()),
  openedAt: z.string(),
  until: z.string().nullable(),
  decisions: z.array(
    z.object({
      name: z.string(),
      pass: z.boolean(),
      reason: z.string(),
      at: z.string(),
      /** False: values were changed since, or the stage had to be approved anew. */
      counts: z.boolean(),
      /** The values that were approved, secrets masked; may be empty. */
      parameters: z.record(z.string(), z.string()),
    }),
  ),
  /** Why the caller may not decide, in the caller's language; empty if they may. */
  obstacle: z.string(),
  /** While it waits: the fields that a decision sets, with their rules, and the present values as defaults. */
  fields: z.array(Parameter),
  /** While it waits: existing services and chart releases that the stage changes. */
  deploys: z.array(z.object({ stack: z.string(), service: z.string() })),
})
export type BuildGate = z.infer<typeof BuildGate>
