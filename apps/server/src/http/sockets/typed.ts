import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { type Inbox, openInbox } from '../../kernel/flow.ts'

const Frame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('input'), data: z.string().max(64 * 1024) }),
  z.object({
    type: z.literal('resize'),
    columns: z.number().int().min(1).max(1000),
    rows: z.number().int().min(1).max(1000),
  }),
])

export type TerminalFrame = z.infer<typeof Frame>

/** The receiver of a terminal's input. */
export interface Keyboard {
  write: (data: string) => Promise<unknown>
  resize: (columns: number, rows: number) => Promise<unknown>
}

/** Queues the input of a terminal's user; an invalid frame closes the websocket. */
export function openTyped(ws: WebSocket): Inbox<TerminalFrame> {
  const typed = openInbox<TerminalFrame>(ws, (frame) => (frame.type === 'input' ? frame.data.length : 0))
  ws.on('message', (data) => {
    // frames that arrive while the socket closes are ignored
    if (ws.readyState !== ws.OPEN) return
    const frame = readFrame(String(data))
    if (frame) typed.push(frame)
    else ws.close(1008)
  })
  ws.once('close', typed.end)
  return typed
}

/** More than anybody types, so a paste. It is passed on at this rate, so that an endless paste delays nobody else. */
const paste = { bytes: 4 * 1024, perSecond: 256 * 1024 }

/** Sends a batch once the shell has taken the previous one, so that backpressure reaches the browser. */
export async function type(batches: AsyncIterable<TerminalFrame[]>, keyboard: Keyboard): Promise<void> {
  for await (const batch of batches) {
    let bytes = 0
    for (const frame of merged(batch)) {
      await (frame.type === 'resize' ? keyboard.resize(frame.columns, frame.rows) : keyboard.write(frame.data))
      if (frame.type === 'input') bytes += frame.data.length
    }
    if (bytes > paste.bytes) await sleep((bytes / paste.perSecond) * 1_000)
  }
}

/** Merges waiting keys into one frame; of consecutive window sizes only the last one counts. */
function merged(batch: TerminalFrame[]): TerminalFrame[] {
  const frames: TerminalFrame[] = []
  let keys: string[] = []
  const join = () => {
    if (keys.length > 0) frames.push({ type: 'input', data: keys.join('') })
    keys = []
  }
  for (const frame of batch) {
    if (frame.type === 'input') keys.push(frame.data)
    else {
      join()
      if (frames.at(-1)?.type === 'resize') frames.pop()
      frames.push(frame)
    }
  }
  join()
  return frames
}

function readFrame(text: string): TerminalFrame | undefined {
  try {
    return Frame.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
