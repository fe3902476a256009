import type { Socket } from 'node:net'
import {
  BindResponse,
  ExtendedResponse,
  type Message,
  MessageParser,
  SearchEntry,
  SearchReference,
  SearchResponse,
  UnbindRequest,
} from 'ldapts'
import { createFrames, NotLdap } from './frames.ts'

/** A complete answer. `status` is the directory's result code; 0 is success. */
export interface Answer {
  status: number
  text: string
  controls: Message['controls']
  entries: SearchEntry[]
  /** Number of referrals to other servers, which are not followed. */
  references: number
}

export interface Session {
  /** Sends one request and returns all its answers. Several requests may be pending at once. */
  ask: (request: (messageId: number) => Message) => Promise<Answer>
  close: () => void
  /** Releases the socket; unread bytes on it are an error. */
  release: () => void
}

export class Closed extends Error {
  constructor() {
    super('the directory closed the connection')
    this.name = 'Closed'
  }
}

interface Pending {
  message: Message
  entries: SearchEntry[]
  references: number
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

interface Limits {
  /** Its reason fails every pending request. */
  signal: AbortSignal
  /** Limit of all answers together. */
  maxBytes: number
}

/**
 * Requests and answers over a connected socket. ldapts encodes and decodes the messages; its own client is not used,
 * because it hides a reached size limit, reconnects by itself, and reads without bounds.
 */
export function openSession(socket: Socket, { signal, maxBytes }: Limits): Session {
  const pending = new Map<string, Pending>()
  const frames = createFrames(maxBytes)
  const parser = new MessageParser()
  let lastId = 0
  /** Number of unsolicited messages, such as the notice of disconnection. */
  let strays = 0
  let ended: Error | undefined

  function fail(error: Error): void {
    ended ??= error
    for (const { reject } of pending.values()) reject(ended)
    pending.clear()
    socket.destroy()
  }

  parser.on('error', () => fail(new NotLdap()))
  parser.on('message', (message) => {
    const key = String(message.messageId)
    const request = pending.get(key)
    if (!request) {
      strays += 1
      return
    }
    if (message instanceof SearchEntry) request.entries.push(message)
    else if (message instanceof SearchReference) request.references += 1
    else if (
      message instanceof SearchResponse ||
      message instanceof BindResponse ||
      message instanceof ExtendedResponse
    ) {
      pending.delete(key)
      request.resolve({
        status: message.status,
        text: message.errorMessage,
        controls: message.controls,
        entries: request.entries,
        references: request.references,
      })
    } else fail(new NotLdap())
  })

  const onData = (chunk: Buffer): void => {
    try {
      for (const frame of frames.push(chunk)) parser.read(frame, pending)
    } catch (error) {
      fail(error instanceof Error ? error : new NotLdap())
    }
  }
  const onError = (error: Error): void => fail(error)
  const onClose = (): void => fail(new Closed())
  const onAbort = (): void => fail(signal.reason instanceof Error ? signal.reason : new Closed())
  socket.on('data', onData).on('error', onError).on('close', onClose)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()

  const detach = (): void => {
    socket.off('data', onData).off('close', onClose)
    signal.removeEventListener('abort', onAbort)
  }
  const send = (message: Message): void => {
    socket.write(message.write())
  }

  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        lastId += 1
        const message = request(lastId)
        pending.set(String(lastId), { message, entries: [], references: 0, resolve, reject })
        send(message)
      }),
    close() {
      detach()
      if (!ended && socket.writable) {
        lastId += 1
        send(new UnbindRequest({ messageId: lastId }))
      }
      ended ??= new Closed()
      // destroyed once the unbind is written, without waiting for a directory that does not read
      socket.destroySoon()
      setTimeout(() => socket.destroy(), 1_000).unref()
    },
    release() {
      if (ended) throw ended
      if (frames.waiting() > 0 || strays > 0) throw new NotLdap()
      socket.pause()
      detach()
      socket.off('error', onError)
    },
  }
}
