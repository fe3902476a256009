import { z } from 'zod'
import { isWithin, normalDn } from '../../adapters/ldap/dn.ts'
import { or } from '../../adapters/ldap/filter.ts'
import type { Directory } from '../../adapters/ldap/ldap.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { isReason } from '../../kernel/phrase.ts'
import { isActive } from '../../identity/sessions.ts'
import type { Queue } from '../../kernel/jobs/queue.ts'
import type { MappedTeam } from '../teams/public.ts'
import { keepExternal } from '../users/public.ts'
import { accountsOf, type DirectoryAccount, keepEntry, providerOf } from './accounts.store.ts'
import { type DirectoryUser, fingerprint, lookUpOf } from './entry.ts'
import {
  findAt,
  findUsers,
  membershipOf,
  membersOf,
  type Settings,
  settingsOf,
  shortBudget,
  teamsOf,
  withDirectory,
} from './directory.ts'
import { findServer, noteChecked, noteProblem, type StoredServer } from './servers.store.ts'
import { bar, unbar } from './account-status.service.ts'

/** Checks the accounts of one directory. It is enqueued every minute, so a failure is not repeated. */
export const checkQueue = {
  name: 'ldap-check-server',
  schema: z.object({ ldapId: z.number().int() }),
  retry: { limit: 0, delaySeconds: 0 },
  timeoutSeconds: 120,
} satisfies Queue

/** Accounts searched for by one filter. */
const together = 100

/** Concurrent reads of entries. */
const atOnce = 20

/** For the whole check of one directory; a single answer has the usual 5 s. */
const options = { budget: 100_000, patience: shortBudget, maxBytes: 64 * 1_048_576 }

/** Where the entry was last found; for a directory without identifiers the only way to find it. */
function placeOf({ dn, subject }: DirectoryAccount): string | undefined {
  const way = lookUpOf(subject)
  return way && 'dn' in way ? way.dn : (dn ?? undefined)
}

/** A user who was already gone is found in the old place, or at a login, but not searched for again and again. */
const wasGone = ({ barred }: DirectoryAccount): boolean => isReason(barred) && barred.key === 'ldap-barred-gone'

/**
 * The entries by account. Reading an entry in its old place is cheap; only missing ones are searched for by their
 * identifier, for which many directories have no index.
 */
async function lookUp(
  directory: Directory,
  settings: Settings,
  accounts: DirectoryAccount[],
): Promise<Map<number, DirectoryUser>> {
  const found = new Map<number, DirectoryUser>()
  const keep = (account: DirectoryAccount, user: DirectoryUser | undefined): void => {
    if (user?.subjects.includes(account.subject)) found.set(account.id, user)
  }
  for (let at = 0; at < accounts.length; at += atOnce)
    await Promise.all(
      accounts.slice(at, at + atOnce).map(async (account) => {
        const place = placeOf(account)
        if (place !== undefined && isWithin(place, settings.baseDn))
          keep(account, await findAt(directory, settings, place))
      }),
    )
  const lost = accounts.filter((account) => !found.has(account.id) && !wasGone(account))
  for (let at = 0; at < lost.length; at += together) {
    const part = lost.slice(at, at + together)
    const filters = part.flatMap(({ subject }) => {
      const way = lookUpOf(subject)
      return way && 'filter' in way ? [way.filter] : []
    })
    if (filters.length === 0) continue
    const { users } = await findUsers(directory, settings, { filter: or(...filters), limit: 2 * together })
    const bySubject = new Map(users.flatMap((user) => user.subjects.map((subject) => [subject, user])))
    for (const account of part) keep(account, bySubject.get(account.subject))
  }
  return found
}

/** Finds a user's teams in groups that are read once; nested groups can only be resolved by the directory itself. */
async function teamsReader(
  directory: Directory,
  settings: Settings,
): Promise<(user: DirectoryUser) => Promise<MappedTeam[]>> {
  const { rule, byUid } = membershipOf(settings)
  if (rule !== undefined) return (user) => teamsOf(directory, settings, user)
  const groups = new Map<string, Set<string>>()
  for (const { group } of settings.mappings)
    if (!groups.has(group)) groups.set(group, await membersOf(directory, settings, group))
  return async ({ dn, uid }) => {
    const name = byUid ? uid : normalDn(dn)
    if (name === undefined) return []
    return settings.mappings
      .filter(({ group }) => groups.get(group)?.has(name))
      .map(({ teamId, roleId }) => ({ teamId, roleId }))
  }
}

interface Seen {
  account: DirectoryAccount
  user: DirectoryUser | undefined
  teams: MappedTeam[]
}

/**
 * Reads the entries of all accounts. A directory without a single known user counts as broken or misconfigured, so it
 * revokes nobody's access.
 */
function look(ctx: Ctx, settings: Settings, accounts: DirectoryAccount[]): Promise<Seen[]> {
  return withDirectory(ctx, settings, options, async (directory) => {
    const readTeams = await teamsReader(directory, settings)
    const found = await lookUp(directory, settings, accounts)
    const seen: Seen[] = []
    for (let at = 0; at < accounts.length; at += atOnce) {
      const part = accounts.slice(at, at + atOnce).map(async (account): Promise<Seen> => {
        const user = found.get(account.id)
        return { account, user, teams: user ? await readTeams(user) : [] }
      })
      seen.push(...(await Promise.all(part)))
    }
    if (seen.every(({ user }) => user === undefined)) {
      const { users } = await findUsers(directory, settings, { limit: 1 })
      if (users.length === 0)
        throw new Fault('unavailable', 'ldap-no-users', { host: directory.host, what: settings.baseDn })
    }
    return seen
  })
}

async function follow(ctx: Ctx, server: StoredServer, { account, user, teams }: Seen): Promise<void> {
  if (!user || user.disabled) {
    const key = user ? 'ldap-barred-disabled' : 'ldap-barred-gone'
    if (isActive(account.status)) await bar(ctx, { ...account, dn: user?.dn ?? account.dn ?? '' }, key, server.name)
    return
  }
  const { userName, nickname, email, dn } = user
  const applied = fingerprint(user, teams)
  const back = account.status === 'disabled' && account.barred !== null
  if (!back && applied === account.applied) return
  await inTx(ctx, async (ctx) => {
    if (back) await unbar(ctx, account)
    const external = {
      type: 'LDAP',
      provider: providerOf(server.id),
      subject: account.subject,
      userName: userName || account.userName,
      nickname,
      email,
    } as const
    await keepExternal(ctx, external, { create: false, teams })
    await keepEntry(ctx.db, account.id, dn, applied)
  })
}

/** Read in batches. */
async function everyAccount(ctx: Ctx, ldapId: number): Promise<DirectoryAccount[]> {
  const accounts: DirectoryAccount[] = []
  for (;;) {
    const part = await accountsOf(ctx.db, ldapId, accounts.at(-1)?.id ?? 0, 1_000)
    if (part.length === 0) return accounts
    accounts.push(...part)
  }
}

/**
 * Checks every account of a directory: users who are gone, disabled or excluded by the filter lose access; users who
 * are back regain it; names, addresses and teams are updated. If the directory fails, nothing changes, and its problem
 * is shown.
 */
export async function checkServer(ctx: Ctx, ldapId: number): Promise<void> {
  const server = await findServer(ctx.db, ldapId)
  if (!server) return
  const accounts = await everyAccount(ctx, ldapId)
  if (!server.enabled) {
    for (const account of accounts)
      if (isActive(account.status)) await bar(ctx, { ...account, dn: account.dn ?? '' }, 'ldap-barred-off', server.name)
    return
  }
  let seen: Seen[]
  try {
    seen = await look(ctx, settingsOf(ctx, server), accounts)
  } catch (error) {
    if (!(error instanceof Fault) || ctx.signal.aborted) throw error
    ctx.log.warn(
      { directory: server.name, key: error.key, vars: error.vars },
      'the users of a directory could not be looked up',
    )
    await noteProblem(ctx.db, ldapId, { key: error.key, vars: error.vars })
    return
  }
  for (const one of seen)
    try {
      await follow(ctx, server, one)
    } catch (error) {
      if (ctx.signal.aborted) throw error
      // one failing account must not stop the check of the others
      ctx.log.error(
        { err: error, directory: server.name, account: one.account.id },
        'an account could not follow its directory',
      )
    }
  await noteChecked(ctx.db, ldapId)
}
