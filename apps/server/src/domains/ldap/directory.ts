import { setImmediate } from 'node:timers/promises'
import type { MappedTeam } from '../teams/public.ts'
import { normalDn } from '../../adapters/ldap/dn.ts'
import { and, equal, type Filter, parseFilter } from '../../adapters/ldap/filter.ts'
import type { Directory, OpenOptions, SearchWish } from '../../adapters/ldap/ldap.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { open } from '../../kernel/secrets/secrets.ts'
import { type DirectoryUser, userAttributes, userOf } from './entry.ts'
import type { ServerFields, StoredServer } from './servers.store.ts'

/** How to reach and query a directory; the password is decrypted. */
export interface Settings extends ServerFields {
  bindPassword: string
}

export const settingsOf = (ctx: Ctx, server: StoredServer): Settings => ({
  ...server,
  bindPassword: server.bindPassword === null ? '' : open(ctx, server.bindPassword),
})

/** Total milliseconds for a sign-in or a check: nobody waits longer for a directory. */
export const shortBudget = 5_000

/** Binds as the searching account; again after somebody else was bound. */
export async function bindReader(directory: Directory, { bindDn, bindPassword }: Settings): Promise<void> {
  if (bindDn !== '' && !(await directory.bind(bindDn, bindPassword)))
    throw new Fault('unavailable', 'ldap-bind-refused', { host: directory.host, what: bindDn })
}

/** Connects as the searching account, runs `work`, and closes the connection. */
export async function withDirectory<T>(
  ctx: Ctx,
  settings: Settings,
  options: Omit<OpenOptions, 'signal'>,
  work: (directory: Directory) => Promise<T>,
): Promise<T> {
  const { url, startTls, ca } = settings
  const directory = await ctx.ports.ldap.open({ url, startTls, ca }, { ...options, signal: ctx.signal })
  try {
    await bindReader(directory, settings)
    return await work(directory)
  } finally {
    directory.close()
  }
}

/** Users that match `filter` as well as the administrator's filter. */
export async function findUsers(
  directory: Directory,
  settings: Settings,
  { filter, limit }: { filter?: Parameters<typeof and>[number]; limit: number },
): Promise<{ users: DirectoryUser[]; more: boolean; references: number }> {
  const own = parseFilter(settings.userFilter)
  const { entries, more, references } = await directory.search({
    base: settings.baseDn,
    scope: 'sub',
    filter: filter === undefined ? own : and(own, filter),
    attributes: userAttributes(settings),
    limit,
  })
  return { users: entries.map((entry) => userOf(settings, entry)), more, references }
}

/** The user at a DN; undefined if there is none, or the administrator's filter excludes it. */
export async function findAt(directory: Directory, settings: Settings, dn: string): Promise<DirectoryUser | undefined> {
  const wish: SearchWish = {
    base: dn,
    scope: 'base',
    filter: parseFilter(settings.userFilter),
    attributes: userAttributes(settings),
    limit: 1,
  }
  const { entries } = await directory.search(wish).catch(nothingThere)
  return entries[0] && userOf(settings, entries[0])
}

/** For `.catch` of a search whose base may not exist. */
export function nothingThere(error: unknown): { entries: never[]; more: false; references: number } {
  if (error instanceof Fault && error.key === 'ldap-base-missing') return { entries: [], more: false, references: 0 }
  throw error
}

/** Maximum of groups per user. */
const groupLimit = 1_000

/** How the groups name their members. */
export function membershipOf({ groupMemberAttribute }: Settings) {
  const [attribute = '', rule] = groupMemberAttribute.split(':')
  return { attribute, rule, byUid: attribute.toLowerCase() === 'memberuid' }
}

/** Matches the groups of the user. */
export function memberFilter(settings: Settings, user: Pick<DirectoryUser, 'dn' | 'uid'>): Filter {
  const { attribute, rule, byUid } = membershipOf(settings)
  if (rule !== undefined) return { is: 'rule', attribute, rule, dn: false, value: user.dn }
  return equal(attribute, byUid ? user.uid : user.dn)
}

/** The teams that the user's groups map to. */
export async function teamsOf(
  directory: Directory,
  settings: Settings,
  user: Pick<DirectoryUser, 'dn' | 'uid'>,
): Promise<MappedTeam[]> {
  if (settings.mappings.length === 0) return []
  const { entries } = await directory.search({
    base: settings.groupBaseDn || settings.baseDn,
    scope: 'sub',
    filter: memberFilter(settings, user),
    attributes: ['1.1'],
    limit: groupLimit,
  })
  const groups = new Set(entries.map((entry) => normalDn(entry.dn)))
  // a name that cannot be parsed belongs to no group
  groups.delete(undefined)
  return settings.mappings
    .filter(({ group }) => groups.has(normalDn(group)))
    .map(({ teamId, roleId }) => ({ teamId, roleId }))
}

/** Lets other work run after so many names. */
const atATime = 1_000

/**
 * The direct members of a group: normalized DNs, or uids. Active Directory returns 1,500 at a time, with the range in
 * the attribute's name.
 */
export async function membersOf(directory: Directory, settings: Settings, group: string): Promise<Set<string>> {
  const members = new Set<string>()
  const { attribute: name, byUid } = membershipOf(settings)
  for (let attribute = name; ;) {
    const wish: SearchWish = { base: group, scope: 'base', filter: presence, attributes: [attribute], limit: 1 }
    const { entries } = await directory.search(wish).catch(nothingThere)
    const found = entries[0]?.attributes ?? new Map<string, Buffer[]>()
    let next: string | undefined
    for (const [key, values] of found) {
      const range = new RegExp(`^${name.toLowerCase()}(?:;range=\\d+-(\\d+|\\*))?$`).exec(key)
      if (!range) continue
      if (range[1] !== undefined && range[1] !== '*' && values.length > 0)
        next = `${name};range=${Number(range[1]) + 1}-*`
      for (const [at, value] of values.entries()) {
        const written = value.toString('utf8')
        const member = byUid ? written : normalDn(written)
        if (member !== undefined) members.add(member)
        if (at % atATime === atATime - 1) await setImmediate()
      }
    }
    if (next === undefined || next === attribute) return members
    attribute = next
  }
}

const presence = { is: 'present', attribute: 'objectClass' } as const
