import type { Call, RegistryRequest } from '@gantry/oci/call'
import { errorText } from '@gantry/oci/error-text'
import type { Failure, SignInFailure, TokenAnswer } from '@gantry/oci/outcome'
import { signedIn, resolveWithin } from '@gantry/oci/sign-in'
import { bytes, type Answered, type Transport } from '../http.ts'
import { messageOf } from '../log.ts'
import { StepFailure } from '../reasons.ts'

/** A registry with its login, as the server sends it. */
export interface RegistryAccess {
  url: string
  username: string
  password: string
}

/** Talks to one registry about one repository (and those that are read), and remembers how to authenticate. */
export interface Registry {
  host: string
  call: Call
  /** Like `call`, but the body is not read. */
  open: (request: RegistryRequest) => Promise<Answered>
  /** The failure of the step if the registry has not done what was requested. */
  failure: (failure: Failure, what: { action: string; repository: string }) => StepFailure
}

export interface RegistryOptions {
  transport: Transport
  access: RegistryAccess
  /** `repository:<name>:pull,push` …, separated by spaces. */
  scope: string
  /** Used if the server logs in for the agent: requested for a call when half of the previous token's time is over. */
  token?: (() => Promise<{ token: string; seconds: number }>) | undefined
  signal: AbortSignal
}

const most = 8 * 1024 * 1024

export function registry({ transport, access, scope, token: askServer, signal }: RegistryOptions): Registry {
  const origin = new URL(access.url)
  const { host } = origin
  let granted: string | undefined
  let token: string | undefined
  let freshUntil = 0

  async function exchange(
    url: URL,
    { method = 'GET', headers, body, length }: Omit<RegistryRequest, 'path'>,
    header?: string,
  ): Promise<Answered> {
    try {
      return await transport.ask({
        method,
        url: url.href,
        headers: { ...headers, ...(header === undefined ? {} : { authorization: header }) },
        ...(body === undefined ? {} : { body: body() }),
        ...(length === undefined ? {} : { length }),
        idleMs: 120_000,
        signal,
      })
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof StepFailure) throw cause
      const code = (cause as NodeJS.ErrnoException).code ?? ''
      if (/CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ALTNAME/.test(code))
        throw new StepFailure('agents-registry-untrusted', { host: url.host })
      throw new StepFailure('agents-registry-unreachable', {
        host: url.host,
        text: code === '' ? messageOf(cause) : code,
      })
    }
  }

  async function read({ status, headers, body }: Answered) {
    return { status, headers, text: (await bytes(body, most)).toString() }
  }

  async function open(request: RegistryRequest): Promise<Answered> {
    const url = resolveWithin(origin, request.path)
    if (!url.ok) throw signInFailure(url.failure, host)
    if (askServer !== undefined && performance.now() > freshUntil) {
      const given = await askServer()
      token = given.token
      freshUntil = performance.now() + given.seconds * 500
    }
    const answer = await signedIn<Answered>({
      origin,
      account: access,
      scope,
      token,
      granted,
      // kept whatever its duration: the registry reports when it is over, and the request can be repeated
      keep: (grant) => (granted = grant?.header),
      send: (header) => exchange(url.value, request, header),
      askToken: async (realm, headers) => read(await exchange(realm, { headers })),
    })
    if (!answer.ok) throw signInFailure(answer.failure, host)
    return answer.value
  }

  return {
    host,
    open,
    call: async (request) => read(await open(request)),
    failure(failure, { action, repository }) {
      if (failure.kind === 'digest') return new StepFailure('agents-registry-not-one', { host })
      if (failure.kind !== 'status') return signInFailure(failure, host)
      const { status, text } = failure
      if (status === 403) return new StepFailure('agents-registry-denied', { host, action, repository })
      return new StepFailure('agents-registry-refused', { host, text: `${status} ${errorText(text)}`.trim() })
    },
  }
}

function signInFailure(failure: SignInFailure, host: string): StepFailure {
  switch (failure.kind) {
    case 'credentials':
      if (failure.by === undefined || failure.by.text === '')
        return new StepFailure('agents-registry-wrong-password', { host: failure.by?.host ?? host })
      return tokenFailure(failure.by, host)
    case 'realm':
      return new StepFailure('agents-registry-realm', { host, realm: failure.realm })
    case 'token':
      return tokenFailure(failure.by, host)
    case 'elsewhere':
    case 'protocol':
      return new StepFailure('agents-registry-not-one', { host })
  }
}

const tokenFailure = ({ host: service, status, text }: TokenAnswer, host: string): StepFailure =>
  new StepFailure('agents-registry-token', { host, service, text: `${status} ${text}`.trim() })

export function json(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
