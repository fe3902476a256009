import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import manifest from '../package.json' with { type: 'json' }
import { type Answered, bytes, type Transport } from './http.ts'
import { StepFailure } from './reasons.ts'
import { type Call, type CallInput, type Data, paths } from './protocol.ts'

export const { version } = manifest

/** The server has refused and would refuse the same call again; the caller decides what to do. */
export class Refusal extends Error {
  readonly status: number
  /** The phrase key of the refusal. */
  readonly key: string
  /** The refusal in the server's words, for the log of the agent or of a step. */
  readonly text: string
  readonly data: unknown
  constructor(status: number, key: string, text: string, data: unknown) {
    super(`${status} ${key}: ${text}`)
    this.status = status
    this.key = key
    this.text = text
    this.data = data
  }
}

/** The content of an upload. A function creates it again for each attempt. */
export interface Upload {
  content: Buffer | (() => Readable)
  length?: number
  encoding?: 'zstd'
}

export interface CallOptions {
  upload?: Upload
  idleMs?: number
  /** Ends the current attempt, and the wait for the next. */
  signal?: AbortSignal
  /** False: makes only one attempt, and throws its error. */
  retry?: boolean
}

export interface Client {
  /**
   * Tries until the server gives a final answer; gives up only if the server keeps failing at this one call. Throws
   * Refusal, or the signal's reason.
   */
  call: <C extends Call>(name: C, input: CallInput<C>, options?: CallOptions) => Promise<Data<C>>
  /** Like `call`, for an answer that is a file, which each attempt takes from its beginning. */
  download: <C extends 'handed' | 'cached'>(
    name: C,
    input: CallInput<C>,
    take: (body: Readable) => Promise<void>,
    options?: CallOptions,
  ) => Promise<void>
}

/**
 * Whether the status is transient: the server restarts, is overloaded, has lost its database, or does not know a
 * credential that is being changed. 507 is not transient: a full disk is reported at once.
 */
const passing = (status: number): boolean =>
  status === 401 || status === 408 || status === 429 || (status >= 500 && status !== 507)

/** This many answers with 500, which take about a minute, mean that the server has a defect with this very call. */
const maxDefects = 20

export interface ClientOptions {
  serverUrl: string
  /** Read again for each attempt. */
  token: () => string
  transport: Transport
  /** The first and the longest pause; each actual pause is random between half of that and the whole. */
  pauseMs?: { first: number; longest: number }
  onTrouble?: (name: Call, cause: unknown) => void
  onSuccess?: () => void
}

export function client(options: ClientOptions): Client {
  const { first, longest } = options.pauseMs ?? { first: 100, longest: 5000 }

  async function ask<C extends Call>(name: C, input: CallInput<C>, given: CallOptions): Promise<Answered> {
    const { upload } = given
    const params: Record<string, unknown> = { ...input.params }
    const path = paths[name].replaceAll(/:(\w+)/g, (_, part: string) => encodeURIComponent(String(params[part])))
    const query = new URLSearchParams(
      Object.entries(input.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
    )
    const headers: Record<string, string> = {
      authorization: `Bearer ${options.token()}`,
      [protocolHeader]: protocolVersion,
      'user-agent': `gantry-agent/${version}`,
      accept: 'application/json',
      'content-type': upload === undefined ? 'application/json' : 'application/octet-stream',
      ...(upload?.encoding === undefined ? {} : { 'content-encoding': upload.encoding }),
    }
    const content = upload?.content
    return options.transport.ask({
      method: 'POST',
      url: `${options.serverUrl}${path}${query.size === 0 ? '' : `?${query}`}`,
      headers,
      body:
        content === undefined
          ? JSON.stringify(input.body ?? {}, wellFormed)
          : typeof content === 'function'
            ? content()
            : content,
      ...(upload?.length === undefined ? {} : { length: upload.length }),
      ...(given.idleMs === undefined ? {} : { idleMs: given.idleMs }),
      ...(given.signal === undefined ? {} : { signal: given.signal }),
    })
  }

  /** Repeats an attempt until it succeeds or fails finally. */
  async function repeated<T>(name: Call, given: CallOptions, attempt: () => Promise<T>): Promise<T> {
    let defects = 0
    for (let pause = first; ; pause = Math.min(pause * 2, longest)) {
      try {
        const outcome = await attempt()
        options.onSuccess?.()
        return outcome
      } catch (cause) {
        given.signal?.throwIfAborted()
        // the content cannot be read, or there is no space for the answer: another attempt would not change that
        if (cause instanceof StepFailure || (cause as NodeJS.ErrnoException).code === 'ENOSPC') throw cause
        if (cause instanceof Refusal && !passing(cause.status)) throw cause
        if (cause instanceof Refusal && cause.status === 500 && ++defects === maxDefects) throw cause
        if (given.retry === false) throw cause
        options.onTrouble?.(name, cause)
        await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal: given.signal })
      }
    }
  }

  return {
    call: (name, input, given = {}) =>
      repeated(name, given, async () => parseAnswer<Data<typeof name>>(await ask(name, input, given))),
    download: (name, input, take, given = {}) =>
      repeated(name, given, async () => {
        const answered = await ask(name, input, given)
        if (answered.status !== 200) await parseAnswer(answered)
        await take(answered.body)
      }),
  }
}

/** Replaces half characters, as truncated texts have them: the server would refuse the report for ever. */
const wellFormed = (_: string, value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value)

async function parseAnswer<D>(answered: Answered): Promise<D> {
  const text = (await bytes(answered.body, 64 * 1024 * 1024)).toString('utf8')
  let envelope: { data?: unknown; message?: unknown; errorMsg?: unknown } = {}
  try {
    envelope = JSON.parse(text) as typeof envelope
  } catch {
    // a proxy in between answers in its own format; then the status decides
    if (answered.status === 200) throw new Error('the server’s answer is not JSON')
  }
  if (answered.status === 200) return envelope.data as D
  throw new Refusal(
    answered.status,
    typeof envelope.message === 'string' ? envelope.message : '',
    typeof envelope.errorMsg === 'string' ? envelope.errorMsg : text.slice(0, 200),
    envelope.data,
  )
}
