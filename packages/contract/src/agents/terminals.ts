import { z } from 'zod'
import { Reason } from './events.ts'
import { Work } from './work.ts'

/**
 * A terminal that waits for the agent, sent in the answer to a claim. The agent dials `agentTerminalPath` until it
 * reaches the server process that holds the other end.
 */
export const AskedTerminal = z.object({
  /** Random, and valid for one connection. */
  id: z.uuid(),
  jobId: z.number().int(),
  attempt: z.number().int(),
  /** The running step, by its position in the build; null: the job has failed, and `workspace` names what it kept. */
  step: z.number().int().nullable(),
  workspace: z.uuid().nullable(),
  shell: z.enum(['sh', 'bash']),
  /** The containers of a shell in a kept workspace; undefined: it is a process of the machine. */
  container: Work.pick({ image: true, services: true }).optional(),
  /** The environment of the shell in a kept workspace, without secrets. A running step uses its own. */
  environment: z.array(z.object({ name: z.string(), value: z.string() })),
  masked: z.array(z.string()),
  /** Maximum duration. */
  seconds: z.number(),
})
export type AskedTerminal = z.infer<typeof AskedTerminal>

/**
 * The agent's websocket, opened with its credential. The server sends `{type: 'joined'}` once a user has connected, and
 * then the user's input; the agent's binary frames are output, and its last frame says how the terminal ended.
 */
export const agentTerminalPath = '/api/agent/terminals/:terminal'

/** Close code of a server process that does not hold this terminal; another process may hold it. */
export const terminalElsewhere = 4404

/** The agent's last frame. */
export const TerminalEnd = z.strictObject({
  type: z.literal('exit'),
  code: z.number().int(),
  reason: Reason.nullable(),
})
export type TerminalEnd = z.infer<typeof TerminalEnd>
