import { setTimeout as pause } from 'node:timers/promises'
import { callOf, type CallInput, type Endpoint } from '@gantry/contract/endpoint'
import type { Envelope, FieldProblem } from '@gantry/contract/envelope'
import type { z } from 'zod'

export type Language = 'en' | 'zh'

/** Thrown for a refused call: the HTTP status, the phrase key, the text in the caller's language. */
export class Refused extends Error {
  readonly status: number
  readonly key: string
  readonly problems: FieldProblem[] | null

  constructor(status: number, key: string, text: string, problems: FieldProblem[] | null) {
    super(text)
    this.name = 'Refused'
    this.status = status
    this.key = key
    this.problems = problems
  }
}

/** Calls the product over HTTP, typed by the contract. */
export interface Calls {
  /** Answers the endpoint's data; throws Refused. */
  call: <E extends Endpoint>(e: E, input?: CallInput<E>, language?: Language) => Promise<z.output<E['data']>>
  /** The unparsed answer, for streams and downloads. */
  raw: <E extends Endpoint>(e: E, input?: CallInput<E>, language?: Language) => Promise<Response>
}

/** A signed-in user. */
export interface Caller extends Calls {
  id: number
  teams: { id: number; name: string }[]
}

export function caller(url: string, token?: string): Calls {
  function raw<E extends Endpoint>(e: E, input: CallInput<E> = {}, language: Language = 'en'): Promise<Response> {
    const { body } = input
    const params = Object.fromEntries(Object.entries(input.params ?? {}))
    const path = e.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries({ action: e.action, ...(input.query as object) }))
      if (value !== undefined) search.append(name, String(value))
    return fetch(`${url}${path}${search.size > 0 ? `?${search}` : ''}`, {
      method: e.method,
      headers: {
        'accept-language': language,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async function call<E extends Endpoint>(
    e: E,
    input?: CallInput<E>,
    language?: Language,
  ): Promise<z.output<E['data']>> {
    const response = await raw(e, input, language)
    const envelope = (await response.json()) as Envelope<z.output<E['data']>>
    // refused before anything was done, so that the client may retry
    if (envelope.status === 0 && envelope.message === 'server-busy') {
      await pause(Number(response.headers.get('retry-after') ?? 1) * 1000)
      return call(e, input, language)
    }
    if (envelope.status === 0) throw new Refused(response.status, envelope.message, envelope.errorMsg, envelope.data)
    return envelope.data
  }

  return { raw, call }
}

/** The refusal of a call that must be refused, in both languages. */
export async function refusal<E extends Endpoint>(
  user: Calls,
  e: E,
  input?: CallInput<E>,
): Promise<{ status: number; key: string; en: string; zh: string }> {
  const refusedIn = async (language: Language): Promise<Refused> => {
    const answer: unknown = await user.call(e, input, language).catch((error: unknown) => error)
    if (!(answer instanceof Refused)) throw new Error(`not refused: ${callOf(e)} answered ${JSON.stringify(answer)}`)
    return answer
  }
  const [en, zh] = [await refusedIn('en'), await refusedIn('zh')]
  return { status: en.status, key: en.key, en: en.message, zh: zh.message }
}
