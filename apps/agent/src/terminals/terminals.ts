import type { AskedTerminal } from '@gantry/contract/agents/terminals'
import type { Piped } from '../executors/piped.ts'
import { messageOf, type Log } from '../log.ts'
import { masker } from '../mask.ts'
import type { Reason } from '../protocol.ts'
import { reason, StepFailure, withoutPaths } from '../reasons.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { dial, type Frame, type Line, type Server } from './dial.ts'

/** Users' terminals, in a running step or in the workspace that a failed job has left. They end with the agent. */
export interface Terminals {
  /** `room`: the folder of the job, if it runs. */
  open: (request: AskedTerminal, room: Workspace | undefined) => void
}

/** A shell that was opened. */
export interface Opened {
  piped: Piped
  /** Secrets that came during the step. */
  hidden: string[]
  /** The reason why it ended with this code; null if it ended by itself. */
  why: (code: number) => Promise<Reason | null>
  close: () => Promise<void>
}

/** While a shell is opened. */
export interface Opening {
  /** Aborted when the user has gone. */
  signal: AbortSignal
  /** Shows a line to the user. */
  say: (line: string) => void
}

/** Opens a shell where the agent runs its jobs. Throws a StepFailure with the reason why there can be none. */
export type OpenShell = (request: AskedTerminal, room: Workspace | undefined, opening: Opening) => Promise<Opened>

interface Given {
  server: Server
  openShell: OpenShell
  log: Log
}

/** The most terminals of an agent at a time. */
export const maxTerminals = 20
/** Milliseconds for which output that may begin a secret is held back; after that a user is probably typing. */
const settleMs = 50
/** The server closes first, with the reason; after this time the agent does. */
const graceMs = 10_000

export function terminals({ server, openShell, log }: Given): Terminals {
  const open = new Set<string>()

  async function serve(request: AskedTerminal, room: Workspace | undefined): Promise<void> {
    const line = await dial(server, request.id)
    if (line === undefined) return
    const refuse = (why: Reason): void => line.end({ type: 'exit', code: -1, reason: why })
    if (open.size > maxTerminals) return refuse(reason('agents-terminal-many', { count: maxTerminals }))
    const gone = new AbortController()
    void line.closed.then(() => gone.abort())
    let opened: Opened
    try {
      const say = (text: string): void => void line.send(Buffer.from(`${text}\r\n`))
      opened = await openShell(request, room, { signal: gone.signal, say })
    } catch (cause) {
      if (gone.signal.aborted) return
      if (!(cause instanceof StepFailure)) log('error', 'a terminal could not be opened', { error: messageOf(cause) })
      return refuse(
        cause instanceof StepFailure ? cause.reason : reason('agents-terminal-failed', { why: withoutPaths(cause) }),
      )
    }
    log('info', 'a terminal is open', { jobId: request.jobId, step: request.step })
    const late = setTimeout(() => void opened.close(), request.seconds * 1000 + graceMs)
    void line.closed.then(opened.close)
    try {
      line.hear((frame) => type(line, opened.piped, frame))
      await show(line, opened.piped, [...request.masked, ...opened.hidden])
      const code = await opened.piped.ended
      const why = await opened.why(code)
      // first, so that the workspace is free once the user sees the end
      await opened.close()
      line.end({ type: 'exit', code, reason: why })
    } finally {
      clearTimeout(late)
      await opened.close()
    }
  }

  return {
    open(request, room) {
      if (open.has(request.id)) return
      open.add(request.id)
      void serve(request, room)
        .catch((cause: unknown) => log('error', 'a terminal failed', { jobId: request.jobId, error: messageOf(cause) }))
        .then(() => open.delete(request.id))
    },
  }
}

function type(line: Line, { input, resize }: Piped, frame: Frame): void {
  if (frame.type === 'resize') resize(frame.columns, frame.rows)
  else if (!input.write(frame.data)) {
    line.pause()
    for (const event of ['drain', 'close']) input.once(event, line.resume)
  }
}

/** Sends the output with secrets masked as in a log, no faster than it is accepted. */
async function show(line: Line, { outputs }: Piped, secrets: string[]): Promise<void> {
  const mask = masker(secrets)
  let timer: NodeJS.Timeout | undefined
  const tell = async (bytes: Buffer): Promise<void> => {
    if (bytes.length > 0) await line.send(bytes)
  }
  const all = async (from: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of from) {
      clearTimeout(timer)
      await tell(mask.push(chunk))
      clearTimeout(timer)
      timer = setTimeout(() => void tell(mask.end()), settleMs)
    }
  }
  await Promise.all(outputs.map(all)).catch(() => {})
  clearTimeout(timer)
  await tell(mask.end())
}
