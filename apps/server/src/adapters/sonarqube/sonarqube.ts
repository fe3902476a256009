import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { maskEchoes } from '../../kernel/secrets/masking.ts'
import { parseJson } from '../outbound/body.ts'
import type { Outbound } from '../outbound/outbound.ts'

export interface SonarAccess {
  /** Without a trailing slash. */
  url: string
  token: string
}

/** A token for analyses, and its creation time by the clock of the code quality server. */
export interface AnalysisToken {
  token: string
  since: string
}

export interface AnalysisTask {
  state: 'running' | 'success' | 'failed'
  projectKey: string
  submittedAt: string
  /** The id of the analysis, if the task succeeded. */
  analysis: string
  /** The reason of a failure, in the server's words. */
  error: string
}

/** The measures of an analysis, by the server's names. */
export type Measures = ReadonlyMap<string, number>

/**
 * The web API of a SonarQube from 9.9. Faults name the cause: `code-quality-silent`, `code-quality-token`,
 * `code-quality-forbidden`, `code-quality-not-one`, `code-quality-error`, `code-quality-old`, and `outbound-refused`.
 */
export interface Sonar {
  version(access: SonarAccess, signal?: AbortSignal): Promise<string>
  /** Whether the token may do what steps need: issue tokens, create projects, analyse. Returns the server's version. */
  verify(access: SonarAccess, signal?: AbortSignal): Promise<string>
  /** Creates the project unless it exists. */
  keepProject(access: SonarAccess, project: { key: string; name: string }, signal?: AbortSignal): Promise<void>
  /** Replaces an earlier token of that name. The new one is valid for this project only, for at most two days. */
  issueToken(
    access: SonarAccess,
    wanted: { name: string; projectKey: string },
    signal?: AbortSignal,
  ): Promise<AnalysisToken>
  revokeToken(access: SonarAccess, name: string, signal?: AbortSignal): Promise<void>
  /** Undefined: the server has no task with this id. */
  task(access: SonarAccess, id: string, signal?: AbortSignal): Promise<AnalysisTask | undefined>
  /** The measures of this one analysis, even if there were later ones. */
  measures(
    access: SonarAccess,
    of: { projectKey: string; analysis: string; metrics: readonly string[] },
    signal?: AbortSignal,
  ): Promise<Measures>
}

const budgetMs = 10_000
const maxAnswerBytes = 4 * 1_048_576
/** The first release whose tokens can be limited to one project and expire. */
const oldest = [9, 9] as const

const Problems = z.object({ errors: z.array(z.object({ msg: z.string() })) })
const Status = z.object({ version: z.string(), status: z.string() })
const Me = z.object({
  isLoggedIn: z.boolean(),
  login: z.string().default(''),
  permissions: z.object({ global: z.array(z.string()) }),
})
const Token = z.object({ token: z.string(), createdAt: z.string() })
const Task = z.object({
  task: z.object({
    componentKey: z.string().default(''),
    status: z.string(),
    submittedAt: z.string(),
    analysisId: z.string().default(''),
    errorMessage: z.string().default(''),
  }),
})
const Analyses = z.object({
  paging: z.object({ total: z.number() }),
  analyses: z.array(z.object({ key: z.string(), date: z.string() })),
})
const History = z.object({
  measures: z.array(
    z.object({ metric: z.string(), history: z.array(z.object({ date: z.string(), value: z.string().optional() })) }),
  ),
})

type Params = Record<string, string>
interface RequestOptions {
  access: SonarAccess
  method?: 'GET' | 'POST'
  path: string
  params?: Params
  signal?: AbortSignal | undefined
}
interface Answer {
  status: number
  text: string
}

export function createSonar(outbound: Outbound): Sonar {
  /** Any status is an answer, except those that mean that the server or the token is the problem. */
  async function ask({ access, method = 'GET', path, params = {}, signal }: RequestOptions): Promise<Answer> {
    const url = new URL(`${access.url}/api/${path}`)
    const body = new URLSearchParams(params)
    if (method === 'GET') url.search = body.toString()
    const { host } = url
    const answer = await outbound
      .requestText({
        url,
        method,
        headers: {
          accept: 'application/json',
          // all releases accept the token in this form, only later ones as a bearer token
          ...(access.token === '' ? {} : { authorization: `Basic ${btoa(`${access.token}:`)}` }),
          ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        },
        ...(method === 'POST' ? { body: body.toString() } : {}),
        timeout: budgetMs,
        maxBytes: maxAnswerBytes,
        ...(signal === undefined ? {} : { signal }),
      })
      .catch((error: unknown) => {
        if (!(error instanceof Fault) || error.key === 'outbound-refused') throw error
        throw new Fault('badGateway', 'code-quality-silent', { host })
      })
    if (answer.status === 401) throw new Fault('badGateway', 'code-quality-token', { host })
    if (answer.status === 502 || answer.status === 503 || answer.status === 504)
      throw new Fault('badGateway', 'code-quality-silent', { host })
    return answer
  }

  /** The server's error messages on one line, with the token masked. */
  function problemIn(access: SonarAccess, text: string): string {
    const problems = attempt(() => Problems.parse(JSON.parse(text)))
    const said = problems?.errors.map(({ msg }) => msg).join('; ') ?? ''
    return maskEchoes(said, [access.token]).replaceAll(/\s+/g, ' ').slice(0, 300)
  }

  function refusal(access: SonarAccess, { status, text }: Answer): Fault {
    const { host } = new URL(access.url)
    const said = problemIn(access, text)
    if (status === 403) return new Fault('badGateway', 'code-quality-forbidden', { host, text: said || '–' })
    if (said === '') return new Fault('badGateway', 'code-quality-not-one', { host })
    return new Fault('badGateway', 'code-quality-error', { host, status, text: said })
  }

  async function done(wanted: RequestOptions): Promise<Answer> {
    const answer = await ask(wanted)
    if (answer.status < 200 || answer.status > 299) throw refusal(wanted.access, answer)
    return answer
  }

  async function read<S extends z.ZodType>(wanted: RequestOptions, schema: S): Promise<z.infer<S>> {
    const { text } = await done(wanted)
    const { host } = new URL(wanted.access.url)
    try {
      return parseJson(text, schema, host)
    } catch {
      throw new Fault('badGateway', 'code-quality-not-one', { host })
    }
  }

  /** Sent without the token, which only a SonarQube should get. */
  async function version({ url }: SonarAccess, signal?: AbortSignal): Promise<string> {
    const answer = await read({ access: { url, token: '' }, path: 'system/status', signal }, Status)
    const { host } = new URL(url)
    if (answer.status !== 'UP') throw new Fault('badGateway', 'code-quality-starting', { host, state: answer.status })
    return answer.version
  }

  const revokeToken: Sonar['revokeToken'] = async (access, name, signal) => {
    await done({ access, method: 'POST', path: 'user_tokens/revoke', params: { name }, signal })
  }

  async function newToken(access: SonarAccess, params: Params, signal?: AbortSignal): Promise<AnalysisToken> {
    const { token, createdAt } = await read(
      { access, method: 'POST', path: 'user_tokens/generate', params, signal },
      Token,
    )
    return { token, since: createdAt }
  }

  return {
    version,
    revokeToken,

    async verify(access, signal) {
      const { host } = new URL(access.url)
      const found = await version(access, signal)
      if (isOlder(found))
        throw new Fault('badGateway', 'code-quality-old', { host, version: found, oldest: oldest.join('.') })
      const me = await read({ access, path: 'users/current', signal }, Me)
      if (!me.isLoggedIn) throw new Fault('badGateway', 'code-quality-token', { host })
      if (!me.permissions.global.includes('provisioning'))
        throw new Fault('badGateway', 'code-quality-rights', { host, login: me.login })
      const name = `gantry-test-${crypto.randomUUID()}`
      await newToken(access, { name, type: 'GLOBAL_ANALYSIS_TOKEN', expirationDate: expiry() }, signal).catch(
        (error: unknown) => {
          if (error instanceof Fault && ['code-quality-forbidden', 'code-quality-error'].includes(error.key))
            throw new Fault('badGateway', 'code-quality-rights', { host, login: me.login })
          throw error
        },
      )
      await revokeToken(access, name, signal)
      return found
    },

    async keepProject(access, { key, name }, signal) {
      const known = await ask({ access, path: 'components/show', params: { component: key }, signal })
      if (known.status === 200) return
      if (known.status !== 404) throw refusal(access, known)
      const params = { project: key, name }
      const made = await ask({ access, method: 'POST', path: 'projects/create', params, signal })
      if (made.status === 200) return
      // another build may have created it meanwhile
      const again = await ask({ access, path: 'components/show', params: { component: key }, signal })
      if (again.status !== 200) throw refusal(access, made)
    },

    async issueToken(access, { name, projectKey }, signal) {
      await revokeToken(access, name, signal)
      const params = { name, type: 'PROJECT_ANALYSIS_TOKEN', projectKey, expirationDate: expiry() }
      return newToken(access, params, signal)
    },

    async task(access, id, signal) {
      const answer = await ask({ access, path: 'ce/task', params: { id }, signal })
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw refusal(access, answer)
      const { task } = parseJson(answer.text, Task, new URL(access.url).host)
      return {
        state:
          task.status === 'SUCCESS' ? 'success' : ['FAILED', 'CANCELED'].includes(task.status) ? 'failed' : 'running',
        projectKey: task.componentKey,
        submittedAt: task.submittedAt,
        analysis: task.analysisId,
        error: maskEchoes(task.errorMessage || task.status, [access.token])
          .replaceAll(/\s+/g, ' ')
          .slice(0, 300),
      }
    },

    async measures(access, { projectKey, analysis, metrics }, signal) {
      const date = await dateOf(access, projectKey, analysis, signal)
      const params = { component: projectKey, metrics: metrics.join(','), from: date, to: date }
      const { measures } = await read({ access, path: 'measures/search_history', params, signal }, History)
      return new Map(
        measures.flatMap(({ metric, history }) => {
          const value = history.find((point) => point.date === date)?.value
          return value === undefined || Number.isNaN(Number(value)) ? [] : [[metric, Number(value)] as const]
        }),
      )
    },
  }

  async function dateOf(access: SonarAccess, project: string, analysis: string, signal?: AbortSignal): Promise<string> {
    const { host } = new URL(access.url)
    for (let p = 1; ; p++) {
      const params = { project, p: String(p), ps: '100' }
      const { analyses, paging } = await read({ access, path: 'project_analyses/search', params, signal }, Analyses)
      const found = analyses.find(({ key }) => key === analysis)
      if (found) return found.date
      if (analyses.length === 0 || p * 100 >= paging.total || p === 10)
        throw new Fault('badGateway', 'code-quality-error', { host, status: 200, text: `no analysis ${analysis}` })
    }
  }
}

/** The day after tomorrow, because a step that begins before midnight may last a day. */
const expiry = (): string => new Date(Date.now() + 2 * 24 * 3_600_000).toISOString().slice(0, 10)

const numbersOf = (version: string): number[] => version.split('.').map(Number)

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = numbersOf(version)
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1])
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
