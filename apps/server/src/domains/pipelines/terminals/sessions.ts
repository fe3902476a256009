import { type TerminalEnd as End, TerminalEnd } from '@gantry/contract/agents/terminals'
import type { WebSocket } from 'ws'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { openInbox, sendMessage } from '../../../kernel/flow.ts'
import type { Keyboard } from '../../../http/sockets/typed.ts'

/** The connection of the agent for a terminal. */
export interface Session extends Keyboard {
  output: AsyncIterable<Uint8Array>
  /** The last message of the agent; undefined if it disconnected without one. */
  ended: Promise<End | undefined>
  close: () => void
}

interface Waiting {
  agentId: number
  join: (ws: WebSocket) => void
}

/** For each replica, the terminals that wait here for their agent. */
const replicas = new WeakMap<Ctx['events'], Map<string, Waiting>>()

const waitingAt = ({ events }: Ctx): Map<string, Waiting> => {
  const known = replicas.get(events) ?? new Map<string, Waiting>()
  replicas.set(events, known)
  return known
}

/** How long an agent may take: to claim again, and to connect to the replica that holds the terminal. */
const patienceMs = 20_000
const shutMs = 1_000

/** Resolves when the agent has connected. */
export function awaitAgent(
  ctx: Ctx,
  { id, agentId, agentName }: { id: string; agentId: number; agentName: string },
): Promise<Session> {
  const waiting = waitingAt(ctx)
  return new Promise<Session>((resolve, reject) => {
    const over = (): void => {
      clearTimeout(timer)
      ctx.signal.removeEventListener('abort', leave)
      waiting.delete(id)
    }
    const leave = (): void => {
      over()
      reject(new Fault('unavailable', 'pipelines-terminal-agent-silent', { agent: agentName }))
    }
    const timer = setTimeout(leave, patienceMs)
    ctx.signal.addEventListener('abort', leave, { once: true })
    waiting.set(id, {
      agentId,
      join: (ws) => {
        over()
        resolve(sessionOver(ws))
      },
    })
    if (ctx.signal.aborted) leave()
  })
}

/** `elsewhere`: no terminal with this id waits at this replica. */
export function join(ctx: Ctx, id: string, ws: WebSocket): 'joined' | 'elsewhere' | 'refused' {
  const found = waitingAt(ctx).get(id)
  if (!found) return 'elsewhere'
  if (found.agentId !== ctx.actor.id) return 'refused'
  found.join(ws)
  return 'joined'
}

function sessionOver(ws: WebSocket): Session {
  const output = openInbox<Buffer>(ws, (bytes) => bytes.length)
  let said: End | undefined
  ws.on('message', (data, isBinary) => {
    if (isBinary && Buffer.isBuffer(data)) output.push(data)
    else said = endOf(String(data))
  })
  const ended = new Promise<End | undefined>((resolve) => {
    ws.once('close', () => {
      output.end()
      resolve(said)
    })
  })
  const tell = (frame: object): Promise<void> => sendMessage(ws, JSON.stringify(frame))
  void tell({ type: 'joined' })
  return {
    output: joined(output.batches()),
    ended,
    write: (data) => tell({ type: 'input', data }),
    resize: (columns, rows) => tell({ type: 'resize', columns, rows }),
    close: () => {
      ws.close(1000)
      setTimeout(() => ws.terminate(), shutMs).unref()
    },
  }
}

async function* joined(batches: AsyncIterable<Buffer[]>): AsyncGenerator<Uint8Array> {
  for await (const batch of batches) yield Buffer.concat(batch)
}

function endOf(text: string): End | undefined {
  try {
    return TerminalEnd.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
