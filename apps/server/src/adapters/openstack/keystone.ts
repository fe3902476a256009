import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { masker } from '../../kernel/secrets/masking.ts'
import { parseJson } from '../outbound/body.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { identityUrl } from './identity-url.ts'

/** The user and the project of a login, by name. */
export interface Account {
  authUrl: string
  username: string
  password: string
  projectName: string
  projectDomainName: string
  userDomainName: string
}

export interface Project {
  id: string
  name: string
}

export interface Session {
  token: string
  /** The project of the token. */
  project: Project
  /** Neutron's address in the catalogue; undefined where it has none. */
  networkUrl: string | undefined
  /**
   * Projects to choose from: all, if the account may list them and there are not too many; otherwise those in which it
   * has a role. `until`: Date.now() of the deadline.
   */
  projects: (until: number) => Promise<{ items: Project[]; truncated: boolean }>
  /** One project by its id, however many there are. */
  findProject: (id: string, until: number) => Promise<Project | undefined>
}

/** Milliseconds for a login. */
const signInMs = 10_000
const answerBytes = 4 * 1_048_576
/** Maximum objects of a kind; beyond this the answer says that it is truncated. */
export const maxRead = 2000

const Named = z.object({ id: z.string().min(1).max(64), name: z.string().max(255) })
const Token = z.object({
  token: z.object({
    project: Named.optional(),
    catalog: z
      .array(
        z.object({
          type: z.string(),
          endpoints: z.array(z.object({ interface: z.string(), url: z.string() })).default([]),
        }),
      )
      .default([]),
  }),
})
const Owned = Named.extend({ enabled: z.boolean().default(true) })
const Projects = z.object({
  projects: z.array(Owned),
  /** Keystone's own limit truncated the list. */
  truncated: z.boolean().default(false),
})

/** The text of a refusal is never repeated: OpenStack may echo what it was sent, including the password. */
interface Exchange {
  status: number
  headers: Record<string, string>
  text: string
}

interface Asking {
  outbound: Pick<Outbound, 'requestText'>
  base: URL
  /** Date.now() of the deadline. */
  until: number
  signal?: AbortSignal | undefined
}

async function ask(
  { outbound, base, until, signal }: Asking,
  path: string,
  { token, body }: { token?: string; body?: object },
): Promise<Exchange> {
  const answer = await outbound.requestText({
    url: new URL(path, base),
    method: body ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { 'x-auth-token': token }),
    },
    ...(body && { body: JSON.stringify(body) }),
    timeout: Math.max(1, until - Date.now()),
    maxBytes: answerBytes,
    redirect: 'manual',
    ...(signal && { signal }),
  })
  if (answer.status >= 300 && answer.status < 400)
    throw new Fault('badGateway', 'outbound-redirect', { host: base.host })
  return answer
}

const notKeystone = ({ host }: URL) => new Fault('invalid', 'openstack-not-keystone', { host })

function parseAnswer<S extends z.ZodType>(base: URL, text: string, schema: S): z.infer<S> {
  try {
    return parseJson(text, schema, base.host)
  } catch {
    throw notKeystone(base)
  }
}

/** Maps an unsuccessful status to a fault, except 401, whose meaning depends on the request. */
function refusal(base: URL, status: number): Fault {
  if (status >= 500 || status === 429) return new Fault('badGateway', 'openstack-trouble', { host: base.host, status })
  return notKeystone(base)
}

function tokenOf(base: URL, { status, headers, text }: Exchange) {
  const token = headers['x-subject-token'] ?? ''
  if (status !== 201 && status !== 200) throw refusal(base, status)
  // it becomes a header of the next request
  if (!/^[\x21-\x7e]{1,16384}$/.test(token)) throw notKeystone(base)
  return { token, ...parseAnswer(base, text, Token).token }
}

/**
 * Why a valid account is not admitted to its project: it may know which ones it can use. Their names are the only text
 * of OpenStack that is repeated, unless one contains the password.
 */
async function projectRefusal(asking: Asking, account: Account, token: string): Promise<Fault> {
  const vars = { project: account.projectName, domain: account.projectDomainName }
  const { status, text } = await ask(asking, 'auth/projects', { token })
  const hide = masker([account.password], 0)
  const known = (status === 200 ? parseAnswer(asking.base, text, Projects).projects : [])
    .map(({ name }) => hide(name))
    .filter((name) => !name.includes(account.password))
  if (known.includes(account.projectName)) return new Fault('invalid', 'openstack-domain-refused', vars)
  if (known.length === 0) return new Fault('invalid', 'openstack-project-none', vars)
  return new Fault('invalid', 'openstack-project-refused', { ...vars, projects: known.slice(0, 10).join(', ') })
}

/**
 * Authenticates with the password, at first without a project, so that a wrong password differs from an unknown
 * project, and counts only once if Keystone counts failures. Then requests the token of the project.
 */
export async function signIn(outbound: Asking['outbound'], account: Account, signal?: AbortSignal): Promise<Session> {
  const base = identityUrl(account.authUrl)
  const asking = { outbound, base, until: Date.now() + signInMs, signal }
  const user = { name: account.username, domain: { name: account.userDomainName }, password: account.password }
  const first = await ask(asking, 'auth/tokens', {
    body: { auth: { identity: { methods: ['password'], password: { user } }, scope: 'unscoped' } },
  })
  if (first.status === 401)
    throw new Fault('invalid', 'openstack-password-refused', {
      host: base.host,
      user: account.username,
      domain: account.userDomainName,
    })
  const unscoped = tokenOf(base, first)
  const scope = { project: { name: account.projectName, domain: { name: account.projectDomainName } } }
  const second = await ask(asking, 'auth/tokens', {
    body: { auth: { identity: { methods: ['token'], token: { id: unscoped.token } }, scope } },
  })
  if ([401, 403, 404].includes(second.status)) throw await projectRefusal(asking, account, unscoped.token)
  const scoped = tokenOf(base, second)
  if (!scoped.project) throw notKeystone(base)
  const { token, project } = scoped
  const usable = (projects: z.infer<typeof Owned>[]): Project[] =>
    projects.filter(({ enabled }) => enabled).map(({ id, name }) => ({ id, name }))
  return {
    token,
    project,
    networkUrl: scoped.catalog
      .find(({ type }) => type === 'network')
      ?.endpoints.find((endpoint) => endpoint.interface === 'public')?.url,
    projects: async (until) => {
      const listing = { outbound, base, until, signal }
      const all = await ask(listing, 'projects', { token }).catch((error: unknown) => {
        if (error instanceof Fault && error.key === 'outbound-too-large') return undefined
        throw error
      })
      const own = all?.status === 200 ? all : await ask(listing, 'auth/projects', { token })
      if (own.status !== 200) throw refusal(base, own.status)
      const { projects, truncated } = parseAnswer(base, own.text, Projects)
      const items = usable(projects)
      return { items: items.slice(0, maxRead), truncated: truncated || all === undefined || items.length > maxRead }
    },
    findProject: async (id, until) => {
      if (id === project.id) return project
      const asking = { outbound, base, until, signal }
      const one = await ask(asking, `projects/${id}`, { token })
      if (one.status === 200) return usable([parseAnswer(base, one.text, z.object({ project: Owned })).project])[0]
      // an account may not be allowed to read a project in which it has a role
      const own = await ask(asking, 'auth/projects', { token })
      if (own.status !== 200) throw refusal(base, own.status)
      return usable(parseAnswer(base, own.text, Projects).projects).find((project) => project.id === id)
    },
  }
}
