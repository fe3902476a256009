import type { z } from 'zod'
import { permissionsOf, type CallInput as DeclaredInput, type Endpoint } from '@gantry/contract/endpoint'
import { joinHeader, mediaType, proofHeader, tenantHeader, type FieldProblem } from '@gantry/contract/envelope'
import { CallError, explain, isEnvelope, type Failed } from './failure.ts'
import { language, t } from './language.ts'
import { local, session } from './storage.ts'

export { CallError }

/** The input of a call; `file` is the upload of an endpoint with `upload`. */
export type CallInput<E extends Endpoint> = DeclaredInput<E> & { file?: Blob }

/** The timeout of every call. */
export const timeoutMs = 300_000

interface Identity {
  token?: string | undefined
  teamId?: number | undefined
}

let identity = (): Identity => ({})
let proof = (): string | undefined => undefined
let onExpired = (_sent: string): Promise<boolean> => Promise.resolve(false)

/**
 * Connects calls to the session, which supplies the token, and to the shell, which handles an expired session: true
 * means that the call is sent again.
 */
export function connect(parts: {
  identity?: () => Identity
  proof?: () => string | undefined
  onExpired?: (sent: string) => Promise<boolean>
}): void {
  identity = parts.identity ?? identity
  proof = parts.proof ?? proof
  onExpired = parts.onExpired ?? onExpired
}

/** The team in the header of calls, which filters lists. */
export const callingTeam = (): number | undefined => identity().teamId

/** The URL of a call: path parameters filled in, empty query values dropped. */
export function addressOf(
  { path: pattern, action }: { path: string; action?: string | undefined },
  input: { params?: unknown; query?: unknown } = {},
): string {
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = Object.entries({ action, ...(input.query as Record<string, unknown> | undefined) })
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]): [string, string] => [name, String(value)])
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`
}

/**
 * A visitor's call carries no token, because an old one would spoil a login. It carries the proof that the browser's
 * cookies come with one of our pages, and the tab's link to join. Switching the team is authenticated, though public.
 */
const isVisitors = (endpoint: Endpoint, query: unknown): boolean =>
  endpoint.access === 'public' && (query as { tenantId?: unknown } | undefined)?.tenantId === undefined

function headersOf(json: boolean, signed: boolean): Record<string, string> {
  const { token, teamId }: Identity = signed ? identity() : {}
  const ownProof = signed ? undefined : proof()
  const join = signed ? undefined : session.get<string>('join')
  return {
    accept: mediaType,
    'accept-language': language,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(teamId === undefined ? {} : { [tenantHeader]: String(teamId) }),
    ...(ownProof === undefined ? {} : { [proofHeader]: ownProof }),
    ...(join === undefined ? {} : { [joinHeader]: join }),
    ...(json ? { 'content-type': 'application/json' } : {}),
  }
}

/** Calls an endpoint and returns its data. Throws CallError, or the caller's own abort. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> = {},
  signal?: AbortSignal,
): Promise<z.output<E['data']>> {
  const sent = isVisitors(endpoint, input.query) ? undefined : identity().token
  try {
    return (await send(endpoint, input, signal)) as z.output<E['data']>
  } catch (error) {
    const expired = error instanceof CallError && error.status === 401 && sent !== undefined
    if (expired && (await onExpired(sent))) return (await send(endpoint, input, signal)) as z.output<E['data']>
    throw error
  }
}

async function send(endpoint: Endpoint, input: CallInput<Endpoint>, signal?: AbortSignal): Promise<unknown> {
  const limit = AbortSignal.timeout(timeoutMs)
  const json = input.file === undefined && input.body !== undefined
  const body = json ? JSON.stringify(input.body) : input.file
  let answer: Response
  let content: Blob
  try {
    answer = await fetch(addressOf(endpoint, input), {
      method: endpoint.method,
      headers: headersOf(json, !isVisitors(endpoint, input.query)),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(body === undefined ? {} : { body }),
    })
    content = await answer.blob()
  } catch (error) {
    if (signal?.aborted) throw error
    throw limit.aborted
      ? fail(0, { key: 'response-timeout' })
      : failure({ reason: String(error), online: navigator.onLine })
  }
  // a picture; every other stream that a page reads itself is text
  if (answer.ok && endpoint.stream?.startsWith('image/')) return content
  const text = await content.text()
  const parsed = parse(text)
  if (answer.ok && isEnvelope(parsed) && parsed.status === 1) return parsed.data
  if (answer.ok && endpoint.stream !== undefined) return text
  // A proxy's own page with 200, or status 0 with 200, is not an answer of the server.
  const failed = failure({ status: answer.ok ? 500 : answer.status, body: parsed, online: navigator.onLine }, endpoint)
  failed.retryAfterMs = retryAfterIn(answer.headers)
  throw failed
}

/** The server counts in seconds; a date, which a proxy may send, is ignored. */
const retryAfterIn = (headers: Headers): number | undefined => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

const parse = (text: string): unknown => {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function failure(failed: Failed, endpoint?: Endpoint): CallError {
  const envelope = isEnvelope(failed.body) ? failed.body : undefined
  const problems = Array.isArray(envelope?.data) ? (envelope.data as FieldProblem[]) : []
  return fail(
    failed.status ?? 0,
    explain(failed),
    envelope?.message,
    problems,
    endpoint && permissionsOf(endpoint.access),
  )
}

function fail(
  status: number,
  explanation: ReturnType<typeof explain>,
  key?: string,
  problems: FieldProblem[] = [],
  needs: readonly string[] = [],
): CallError {
  // Sets the flag that the loading overlay polls: an error hides the overlay.
  local.set('error', true)
  return 'key' in explanation
    ? new CallError(status, key || explanation.key, t(explanation.key), problems, needs)
    : new CallError(status, key ?? '', explanation.text, problems, needs)
}
