import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import { requiredPermissions, type Endpoint } from '@gantry/contract/endpoint'
import { schemaOf } from '../../src/http/openapi/openapi.ts'
import { type Kind, kindOf, paramsIn } from '../parameters.ts'
import { kindsOf, lieInCluster, type Pool, type Side, type Thing } from './pool.ts'
import type { Random } from './random.ts'
import type { Role } from './roles.ts'
import { type Schema, type Source, valueOf } from './values.ts'
import type { Wire } from './wire.ts'

/** The content of a call, without its caller. */
export interface Given {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body?: unknown
  upload?: Buffer | undefined
  headers: [name: string, value: string][]
}

export interface Call extends Given {
  endpoint: Endpoint
  role: Role
  /** The thing that its parameters refer to. */
  within: Thing
  /** Whether everything that it names belongs to another team. */
  foreign?: boolean
}

/** Converts any value to a text for an address. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? '')

export function wireOf({ endpoint, role, params, query, body, upload, headers }: Call): Wire {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(textOf(params[name])))
  const search = new URLSearchParams(
    Object.entries({ action: endpoint.action, ...query }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, textOf(value)]],
    ),
  )
  const payload = upload ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
  const has = (name: string) => headers.some(([given]) => given.toLowerCase() === name)
  const more: [string, string][] = []
  if (role.token !== undefined && !has('authorization')) more.push(['authorization', `Bearer ${role.token}`])
  if (endpoint.access === 'agent' && !has(protocolHeader)) more.push([protocolHeader, protocolVersion])
  if (payload && !has('content-type'))
    more.push(['content-type', upload ? 'application/octet-stream' : 'application/json'])
  return {
    method: endpoint.method,
    target: path + (search.size > 0 ? `?${search}` : ''),
    headers: [...more, ...headers],
    payload,
  }
}

/** The sides whose things a call of this role must be about to succeed. */
const sidesOf = (role: Role): Side[] =>
  role.sees === 'all' ? ['ours', 'theirs', 'nobodys'] : role.sees === 'nobodys' ? ['nobodys'] : [role.sees, 'nobodys']

/** Ids of which a list is the whole body. */
const bodies: Record<string, Kind> = {
  'team.assign-role': 'role',
  'team.add-members': 'user',
  'user.delete-many': 'user',
  'user.assign-roles': 'systemRole',
  'build.delete-many': 'build',
}

/** The kind whose name confirms a deletion. */
const nameOf: Record<string, Kind> = {
  'team.delete': 'teamName',
  'environment.delete': 'envName',
  'product.delete': 'productName',
  'pipeline.delete': 'pipelineName',
  'stack.delete': 'stackName',
  'service.delete': 'serviceName',
}

/** Calls that delete something or block access to it; never aimed at what the run depends on. */
export const takesAway = ({ method, audit = '' }: Endpoint): boolean => method === 'DELETE' || undermines.has(audit)
const undermines = new Set([
  'user.delete-many',
  'user.approve',
  'user.reset-password',
  'user.assign-roles',
  'team.add-members',
  'team.assign-role',
  'environment.assign',
  'environment.update',
  'environment.manifest',
  'build.delete-many',
])

/**
 * Calls made once as intended, and never at random: they share things so that everybody may see them, keep the roles
 * from logging in, or read the whole database.
 */
export const onlyOnce: ReadonlySet<string> = new Set([
  'environment.assign',
  'harbor-project.assign',
  'login-policy.update',
  'backup.create',
])

/** Fields that need a unique name. */
const names = /^(name|projectName|userName|roleName|alias|serviceName)$/
const secrets = /^(password|clientSecret|bindPassword|token)$/

interface Settings {
  random: Random
  pool: Pool
  permissions: string[]
  /** Prefix of the names of a side's things. */
  brand: Record<Side, string>
  fresh: (side: Side) => string
  secret: () => string
}

/** Draws calls that should succeed, from earlier successful examples and from the schemas. */
export function openDrawer({ random, pool, permissions, brand, fresh, secret }: Settings) {
  const examples = new Map<Endpoint, Given[]>()
  const schemas = new Map<Endpoint, Record<'params' | 'query' | 'body', Schema>>()
  const schemasOf = (e: Endpoint) => {
    const found = schemas.get(e) ?? {
      params: schemaOf(e.params, 'input'),
      query: schemaOf(e.query, 'input'),
      body: schemaOf(e.body, 'input'),
    }
    schemas.set(e, found)
    return found
  }

  function sourceOf(e: Endpoint, within: Thing, place: 'params' | 'query' | 'body', optional = 0.5): Source {
    const own = () => fresh(within.side)
    const valueOfKind = (kind: Kind | undefined) => {
      if (kind === undefined) return undefined
      const there = within.values[kind]
      if (there !== undefined) return there
      return pool.draw(random, [kind], [within.side, 'nobodys'], takesAway(e))?.values[kind]
    }
    return {
      random,
      fresh: own,
      secret,
      optional,
      known: (path) => {
        const name = path.findLast((part) => !/^\d+$/.test(part))
        if (name === undefined)
          return place === 'body' && isId(path, e) ? valueOfKind(bodies[e.audit ?? '']) : undefined
        if (name === 'wait') return 0
        if (name === 'confirm') return valueOfKind(nameOf[e.audit ?? ''])
        if (name === 'replicas') return random.int(3)
        if (path.at(-1) === 'email' || name === 'mail') return `${own()}@g.test`
        if (/^permissions?$/.test(name) && /^\d+$/.test(path.at(-1) ?? '')) return random.pick(permissions)
        if (name === 'name' && e.audit === 'role.update') return random.pick(permissions)
        if (e.audit === 'service.create' && name === 'serviceName') return own()
        if (secrets.test(name) && place === 'body') return secret()
        if (name === 'path' && place === 'query' && e.path.includes('/container/'))
          return random.pick(['/', '/etc', '/etc/hostname', '/var/log/app.log', `/tmp/${own()}`])
        const kind = kindOf(e.path, name)
        return kind === 'permission' ? random.pick(permissions) : valueOfKind(kind)
      },
    }
  }

  /** The example about other things, with other names, and some values changed at random. */
  function vary(schema: Schema, example: unknown, source: Source, rate: number, path: string[] = []): unknown {
    const name = path.at(-1) ?? ''
    if (secrets.test(name)) return example
    const known = source.known(path)
    if (known !== undefined) return known
    if (Array.isArray(example))
      return example.map((one, at) => vary((schema['items'] ?? {}) as Schema, one, source, rate, [...path, String(at)]))
    if (typeof example === 'string' && names.test(name)) return source.fresh()
    if (typeof example !== 'object' || example === null) return example
    // a value that was a secret is replaced by another secret
    if ('secret' in example && example.secret === true)
      return 'name' in example ? { ...example, name: source.fresh() } : example
    const inner = (schema['properties'] ?? {}) as Record<string, Schema>
    const required = (schema['required'] ?? []) as string[]
    const kept = Object.entries(example).filter(([key]) => required.includes(key) || !random.chance(rate / 2))
    const object = Object.fromEntries(
      kept.map(([key, value]) => [
        key,
        inner[key] && random.chance(rate)
          ? valueOf(inner[key], source, [...path, key])
          : vary(inner[key] ?? {}, value, source, rate, [...path, key]),
      ]),
    )
    for (const [key, more] of Object.entries(inner))
      if (!(key in example) && random.chance(rate / 2)) object[key] = valueOf(more, source, [...path, key])
    return object
  }

  function drawn(e: Endpoint, within: Thing, example: Given | undefined, rate: number): Given {
    const { params, query, body } = schemasOf(e)
    const fixed = sourceOf(e, within, 'params')
    const draw = (schema: Schema, place: 'query' | 'body', given: unknown) => {
      const source = sourceOf(e, within, place, rate === 0 ? 0 : 0.5)
      return given === undefined ? valueOf(schema, source) : vary(schema, about(given), source, rate)
    }
    const about = (value: unknown) => rebrand(value, within.side)
    const wantsBody = e.upload === undefined && e.method !== 'GET' && example?.body !== undefined
    const empty = body['type'] === 'object' && Object.keys(body['properties'] ?? {}).length === 0
    return {
      params: Object.fromEntries(
        paramsIn(e).map(([name]) => [
          name,
          fixed.known([name]) ??
            about(example?.params[name]) ??
            valueOf((params['properties'] as Record<string, Schema>)[name] ?? {}, fixed, [name]),
        ]),
      ),
      query: draw(query, 'query', example?.query) as Record<string, unknown>,
      ...(wantsBody || (!example && !empty && e.method !== 'GET' && e.upload === undefined)
        ? { body: draw(body, 'body', example?.body) }
        : {}),
      upload: branded(example?.upload, within.side) ?? (e.upload === undefined ? undefined : Buffer.from('some bytes')),
      headers: example?.headers ?? [],
    }
  }

  /** Replaces the names of another side in an example by names of this side. */
  const rebrand = (value: unknown, side: Side): unknown =>
    value === undefined
      ? undefined
      : JSON.parse(JSON.stringify(value).replaceAll(new RegExp(`${brand.ours}|${brand.theirs}`, 'g'), brand[side]))

  const branded = (upload: Buffer | undefined, side: Side): Buffer | undefined =>
    upload?.includes(brand.ours) || upload?.includes(brand.theirs)
      ? Buffer.from(rebrand(upload.toString('utf8'), side) as string)
      : upload

  const parses = (e: Endpoint, { params, query, body }: Given): boolean =>
    e.params.safeParse(asText(params)).success &&
    e.query.safeParse(asText(query)).success &&
    (e.method === 'GET' || e.upload !== undefined || e.body.safeParse(body ?? {}).success || body === undefined)

  return {
    /** A call that the server should accept from this role; undefined if no thing is known that it could be about. */
    valid: (
      e: Endpoint,
      role: Role,
      sides: readonly Side[] = sidesOf(role),
      { about, plain = false }: { about?: Thing; plain?: boolean } = {},
    ): Call | undefined => {
      const kinds = kindsOf(e).filter(
        (kind) => kind !== 'permission' && (kind !== 'serviceName' || e.audit !== 'service.create'),
      )
      const needed = kinds.length > 0 ? kinds : asksForTeam(e) ? (['team'] as const) : []
      const free = takesAway(e)
      const none: Thing = { side: role.sees === 'all' ? 'nobodys' : role.sees, values: {} }
      const found = about ?? (needed.length === 0 ? none : pool.draw(random, needed, sides, free))
      if (!found) return undefined
      const common = lieInCluster(needed) && pool.isShared(found.values.env)
      const within: Thing = common ? { ...found, side: 'nobodys' } : found
      const known = examples.get(e)
      const example = known && (plain || random.chance(0.9)) ? random.pick(known) : undefined
      for (const rate of plain ? [0] : [0.3, 0.1, 0]) {
        const given = drawn(e, within, example ?? (rate === 0 ? known?.[0] : undefined), rate)
        if (rate === 0 || parses(e, given)) return { endpoint: e, role, within, ...given }
      }
      return undefined
    },
    /** Keeps a successful call as an example for others. */
    keep: (e: Endpoint, { params, query, body, upload, headers }: Given): void => {
      const own = examples.get(e) ?? []
      // the first examples are known to work as intended
      if (own.length < 6) own.push({ params, query, body, upload, headers })
      else own[3 + random.int(3)] = { params, query, body, upload, headers }
      examples.set(e, own)
    },
  }
}

export type Drawer = ReturnType<typeof openDrawer>

const isId = (path: readonly string[], { audit = '' }: Endpoint): boolean =>
  audit === 'team.assign-role' ? path.length === 0 : path.length === 1 && path[0] !== undefined

const asText = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, textOf(value)]])),
  )

/** Whether its body names its team. */
const asksForTeam = (e: Endpoint): boolean => e.access === 'user' && requiredPermissions(e).length > 0
