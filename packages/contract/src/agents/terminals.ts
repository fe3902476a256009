import { z } from 'zod'
import { Reason } from './events.ts'

/**
 * A terminal that somebody waits for, told with the answer of a claim. The agent dials `agentTerminalPath`, over and over
 * until it reaches the process of the server that holds the other end.
 */
export const AskedTerminal = z.object({
  /** Random, and good for one connection. */
  id: z.uuid(),
  jobId: z.number().int(),
  attempt: z.number().int(),
  /** The step that runs, by its position in the build; null: the job has failed, and `workspace` names what it left. */
  step: z.number().int().nullable(),
  workspace: z.uuid().nullable(),
  shell: z.enum(['sh', 'bash']),
  /** For the shell in a kept workspace, without any secret. A step that runs has its own. */
  environment: z.array(z.object({ name: z.string(), value: z.string() })),
  masked: z.array(z.string()),
  /** How long it may be open. */
  seconds: z.number(),
})
export type AskedTerminal = z.infer<typeof AskedTerminal>

/**
 * Websocket of an agent, with its credential. The server sends `{type: 'joined'}` once somebody is at the other end, and
 * then what is typed; binary frames of the agent are output, and its last frame says how it ended.
 */
export const agentTerminalPath = '/api/agent/terminals/:terminal'

/** Why a process of the server closes: it does not hold this terminal, and another one may. */
export const terminalElsewhere = 4404

/** The agent's last frame. */
export const TerminalEnd = z.strictObject({
  type: z.literal('exit'),
  code: z.number().int(),
  reason: Reason.nullable(),
})
export type TerminalEnd = z.infer<typeof TerminalEnd>
