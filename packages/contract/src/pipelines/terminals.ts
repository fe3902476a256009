import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'

const job = z.coerce.number().int().min(0).max(10_000)

/** Websocket (ticket): a terminal in a job; `open` returns its address. Frames are those of a container's terminal. */
export const buildTerminalPath = '/api/v2/pipelines/:id/builds/:number/jobs/:job/terminal'

export const terminalParams = z.strictObject({ id: idOrUuid, number: id, job })

export const terminalAccess = { owner: 'pipeline', by: 'id', permission: 'pipeline_terminal_execute' } as const

export const terminals = {
  /** Not in the specification. Returns the websocket's address, its ticket (30 s, once), and the maximum duration. */
  open: endpoint({
    method: 'POST',
    path: buildTerminalPath,
    access: terminalAccess,
    audit: 'build.terminal-open',
    summary: 'Open a terminal in the step of a job that runs, or in the workspace that a failed job has kept',
    params: terminalParams,
    data: z.object({
      url: z.string(),
      ticket: z.string(),
      seconds: z.number().int(),
      /** The running step; null: the kept workspace. */
      step: z.string().nullable(),
    }),
    topics: [],
  }),
}
