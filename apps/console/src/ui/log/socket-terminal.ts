import type { TerminalHears, TerminalLine } from './terminal.tsx'

/** The server's last frame: how the program ended. */
interface Exit {
  type: 'exit'
  code: number
  message: string
}

function exitOf(text: string): Exit | undefined {
  if (!text.startsWith('{"type":"exit"')) return undefined
  try {
    return JSON.parse(text) as Exit
  } catch {
    return undefined
  }
}

/** A frame is limited to 64 kB, and a character may take six bytes of it: a large paste is split. */
const maxKeys = /.{1,10000}/gsu

/** The answer of a call that opens a terminal. */
interface TerminalTicket {
  url: string
  ticket: string
}

function addressOf({ url: path, ticket }: TerminalTicket): string {
  const url = new URL(path, location.href)
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  if (!url.searchParams.has('authorization')) url.searchParams.set('authorization', ticket)
  return url.href
}

/** A terminal over a websocket, as in the contract's containers.execute: sends JSON frames, receives raw output. */
export function socketTerminal(given: TerminalTicket, hears: TerminalHears): Promise<TerminalLine> {
  const socket = new WebSocket(addressOf(given))
  socket.binaryType = 'arraybuffer'
  const send = (frame: object) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
  }
  let message = ''
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    const exit = typeof data === 'string' ? exitOf(data) : undefined
    if (exit) message = exit.message
    else hears.output(typeof data === 'string' ? data : new Uint8Array(data))
  })
  socket.addEventListener('close', () => hears.ended(message))
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () =>
      resolve({
        send: (data) => data.match(maxKeys)?.forEach((keys) => send({ type: 'input', data: keys })),
        resize: (columns, rows) => send({ type: 'resize', columns, rows }),
        close: () => socket.close(),
      }),
    )
    socket.addEventListener('error', () => reject(new Error(message)))
  })
}
