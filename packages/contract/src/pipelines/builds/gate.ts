import { z } from 'zod'
import { Parameter } from '../parameters.ts'

/** A stage that waited for people. */
export const BuildGate = z.object({
  mode: z.enum(['manual', 'approve']),
  /** `over`: the build ended otherwise. */
  state: z.enum(['waiting', 'passed', 'rejected', 'expired', 'over']),
  /** Who may decide, by name; empty: whoever has the permission. */
  users: z.array(z.string()),
  roles: z.array(z.string()),
  count: z.number().int(),
  /** The parameters that a decision fills in, with their present values: these are what is approved. */
  parameters: z.record(z.string(), z.string()),
  /** Those of them whose values are secret, and masked. */
  secrets: z.array(z.string()),
  openedAt: z.string(),
  until: z.string().nullable(),
  decisions: z.array(
    z.object({
      name: z.string(),
      pass: z.boolean(),
      reason: z.string(),
      at: z.string(),
      /** False: other values were filled in since, or the stage was asked about anew. */
      counts: z.boolean(),
      /** The values that it was approved with, those of secrets masked; empty where there were none. */
      parameters: z.record(z.string(), z.string()),
    }),
  ),
  /** Why the caller may not decide, in their language; empty where they may. */
  obstacle: z.string(),
  /** While it waits: what a decision fills in, by its rules, with the present values as defaults. */
  fields: z.array(Parameter),
  /** While it waits: the services, and releases of charts, that the stage changes and that there are already. */
  deploys: z.array(z.object({ stack: z.string(), service: z.string() })),
})
export type BuildGate = z.infer<typeof BuildGate>
