import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { parseJson } from '../outbound/body.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { maxRead } from './keystone.ts'

/** Access to Neutron with a token of Keystone: networks, subnets and security groups. Read-only. */
export interface NeutronAccess {
  outbound: Outbound
  /** Its address, as in the catalogue. */
  url: string
  token: string
  /** Date.now() of the deadline. */
  until: number
  signal?: AbortSignal | undefined
}

const pageSize = 500
const answerBytes = 4 * 1_048_576

const Named = z.object({ id: z.string().min(1).max(64), name: z.string().max(255).nullish() })
/** The fields that are read of a network, and of a security group. */
export const Thing = Named.transform(({ id, name }) => ({ id, name: name || id }))
export const Subnet = Named.extend({
  network_id: z.string(),
  cidr: z.cidrv4(),
  allocation_pools: z.array(z.object({ start: z.string(), end: z.string() })).default([]),
}).transform(({ id, name, network_id: networkId, cidr, allocation_pools: pools }) => ({
  id,
  name: name || id,
  networkId,
  cidr,
  pools,
}))

/**
 * A page of a list. Neutron may return fewer objects than requested (`pagination_max_limit`): its links say whether
 * there are more.
 */
const pageOf = <S extends z.ZodType>(member: string, schema: S) =>
  z.preprocess(
    (body: Record<string, unknown> | null) => ({ items: body?.[member], links: body?.[`${member}_links`] }),
    z.object({ items: z.array(schema), links: z.array(z.object({ rel: z.string() })).default([]) }),
  )

const kinds = {
  networks: { member: 'networks', fields: ['id', 'name'] },
  subnets: { member: 'subnets', fields: ['id', 'name', 'network_id', 'cidr', 'allocation_pools'] },
  'security-groups': { member: 'security_groups', fields: ['id', 'name'] },
} as const

/** The catalogue's address, with the version added if it is missing. */
export function networkUrl(given: string): URL {
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol)) throw new Fault('badGateway', 'openstack-no-network')
  const path = url.pathname.replace(/\/+$/, '')
  return new URL(`${path.endsWith('/v2.0') ? path : `${path}/v2.0`}/`, url.origin)
}

/** The guard's fault names an address that a user entered; this one is from the catalogue, so it names the host. */
const withHost = (error: unknown, { host }: URL): unknown =>
  error instanceof Fault && error.key === 'outbound-refused'
    ? new Fault('badGateway', 'openstack-network-blocked', { host })
    : error

/** Reads all objects of a kind that `query` selects, page by page. */
export async function readAll<S extends z.ZodType<{ id: string }>>(
  { outbound, url, token, until, signal }: NeutronAccess,
  kind: keyof typeof kinds,
  schema: S,
  query: readonly (readonly [name: string, value: string])[],
): Promise<{ items: z.output<S>[]; truncated: boolean }> {
  const base = networkUrl(url)
  const { member, fields } = kinds[kind]
  const items: z.output<S>[] = []
  for (let marker: string | undefined; ;) {
    const pageUrl = new URL(kind, base)
    pageUrl.search = new URLSearchParams([
      ...query.map(([name, value]) => [name, value]),
      ...fields.map((field) => ['fields', field]),
      ['limit', String(pageSize)],
      ['sort_key', 'id'],
      ['sort_dir', 'asc'],
      ...(marker === undefined ? [] : [['marker', marker]]),
    ]).toString()
    const answer = await outbound
      .requestText({
        url: pageUrl,
        headers: { accept: 'application/json', 'x-auth-token': token },
        timeout: Math.max(1, until - Date.now()),
        maxBytes: answerBytes,
        redirect: 'manual',
        ...(signal && { signal }),
      })
      .catch((error: unknown) => {
        throw withHost(error, base)
      })
    if (answer.status === 401 || answer.status === 403)
      throw new Fault('badGateway', 'openstack-network-forbidden', { host: base.host })
    if (answer.status !== 200)
      throw new Fault('badGateway', 'openstack-trouble', { host: base.host, status: answer.status })
    const page = parseJson(answer.text, pageOf(member, schema), base.host)
    items.push(...page.items)
    const last = page.items.at(-1)
    if (last === undefined || !page.links.some(({ rel }) => rel === 'next')) return { items, truncated: false }
    if (items.length >= maxRead) return { items: items.slice(0, maxRead), truncated: true }
    marker = last.id
  }
}
