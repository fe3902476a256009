import type { z } from 'zod'
import type { ldap } from '@gantry/contract/ldap/ldap'
import { isWithin, normalDn } from '../../adapters/ldap/dn.ts'
import { contains, or } from '../../adapters/ldap/filter.ts'
import type { Directory } from '../../adapters/ldap/ldap.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, type Vars } from '../../kernel/fault.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import { firstFew, say } from '../../kernel/phrase.ts'
import type { MappedTeam } from '../teams/public.ts'
import { keepExternal } from '../users/public.ts'
import { accountsWithEmail, findBySubjects, keepEntry, providerOf } from './accounts.store.ts'
import { type DirectoryUser, fingerprint } from './entry.ts'
import { checkQueue } from './check.service.ts'
import { findAt, findUsers, type Settings, settingsOf, shortBudget, teamsOf, withDirectory } from './directory.ts'
import { mustFindServer } from './servers.service.ts'
import type { StoredServer } from './servers.store.ts'
import { shownEntries } from './validate.service.ts'

/** Maximum of entries that are searched; a longer keyword finds the others. */
const searched = 1_000

const Cursor = ([userName, dn]: [string, string]): string =>
  Buffer.from(JSON.stringify([userName, dn])).toString('base64url')

function readCursor(text: string): [string, string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string')
      return [value[0], value[1]]
  } catch {
    // handled below
  }
  throw new Fault('invalid', 'field-invalid')
}

const placeOf = ({ userName, dn }: DirectoryUser): [string, string] => [userName, dn]
const comparePairs = (a: [string, string], b: [string, string]): number =>
  a[0] === b[0] ? (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0) : a[0] < b[0] ? -1 : 1

/**
 * A page of users whose name or address contains the keyword. A directory's own cursor ends with its connection, so
 * each page searches again, the first 1,000 entries at most, and continues after the last entry of the previous page.
 */
export async function searchEntries(ctx: Ctx, id: number, query: z.output<typeof ldap.search.query>) {
  const settings = settingsOf(ctx, await mustFindServer(ctx, id))
  const keyword = query.keyword?.trim() ?? ''
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor)
  const names = [settings.userNameAttribute, settings.nicknameAttribute, settings.emailAttribute]
  const filter = keyword === '' ? {} : { filter: or(...names.map((name) => contains(name, keyword))) }
  const { users, more } = await withDirectory(ctx, settings, { budget: shortBudget }, (directory) =>
    findUsers(directory, settings, { ...filter, limit: searched }),
  )
  const sorted = users.sort((a, b) => comparePairs(placeOf(a), placeOf(b)))
  const rest = after ? sorted.filter((user) => comparePairs(placeOf(user), after) > 0) : sorted
  const page = rest.slice(0, query.pageSize)
  const last = page.at(-1)
  return {
    items: await shownEntries(ctx, id, page),
    next: last && rest.length > page.length ? Cursor(placeOf(last)) : null,
    truncated: more,
  }
}

interface Row {
  dn: string
  userName: string
  result: 'created' | 'duplicate' | 'missing' | 'failed'
  problem: string
}

interface Read {
  dn: string
  twice: boolean
  user: DirectoryUser | undefined
  teams: MappedTeam[]
}

/** Concurrent reads of entries. */
const atOnce = 20
const importBudget = 60_000

/** The present entry of each name. Invalid names and names outside the base are not looked up. */
async function readEntries(directory: Directory, settings: Settings, names: string[]): Promise<Read[]> {
  const seen = new Set<string>()
  const wanted = names.map((dn) => {
    const normal = normalDn(dn)
    const twice = normal !== undefined && seen.has(normal)
    if (normal !== undefined) seen.add(normal)
    return { dn, twice, ask: normal !== undefined && !twice && isWithin(dn, settings.baseDn) }
  })
  const read: Read[] = []
  for (let at = 0; at < wanted.length; at += atOnce) {
    const part = wanted.slice(at, at + atOnce).map(async ({ dn, twice, ask }) => {
      const user = ask ? await findAt(directory, settings, dn) : undefined
      return { dn, twice, user, teams: user ? await teamsOf(directory, settings, user) : [] }
    })
    read.push(...(await Promise.all(part)))
  }
  return read
}

async function importOne(ctx: Ctx, server: StoredServer, { dn, twice, user, teams }: Read): Promise<Row> {
  const row = (result: Row['result'], key?: Parameters<typeof say>[1], vars?: Vars): Row => ({
    dn,
    userName: user?.userName ?? '',
    result,
    problem: key === undefined ? '' : say(ctx.lang, key, vars),
  })
  if (normalDn(dn) === undefined) return row('failed', 'ldap-import-dn')
  if (twice) return row('duplicate', 'ldap-import-twice')
  if (!user) return row('missing', 'ldap-import-missing')
  const subject = user.subjects[0]
  if (user.userName === '' || subject === undefined)
    return row('failed', 'ldap-import-name', { attribute: server.userNameAttribute })
  try {
    return await inTx(ctx, async (ctx) => {
      if ((await findBySubjects(ctx.db, server.id, user.subjects)).length > 0)
        return row('duplicate', 'ldap-import-duplicate')
      const { userName, nickname, email } = user
      const external = { type: 'LDAP', provider: providerOf(server.id), subject, userName, nickname, email } as const
      const accountId = await keepExternal(ctx, external, { create: true, teams })
      if (accountId !== undefined) await keepEntry(ctx.db, accountId, user.dn, fingerprint(user, teams))
      const others = (await accountsWithEmail(ctx.db, [email])).filter(({ id }) => id !== accountId)
      if (others.length === 0) return row('created')
      return row('created', 'ldap-import-email', { email, names: firstFew(others.map((other) => other.userName)) })
    })
  } catch (error) {
    ctx.log.error({ err: error, directory: server.name, dn }, 'an entry could not be imported')
    return row('failed', 'ldap-import-failed')
  }
}

/** Everything is read before anything is written, so that a directory that fails half-way changes nothing. */
export async function importEntries(ctx: Ctx, id: number, entries: { dn: string }[]) {
  const server = await mustFindServer(ctx, id)
  note(ctx, { object: server.name })
  const settings = settingsOf(ctx, server)
  const options = { budget: importBudget, patience: shortBudget, maxBytes: 32 * 1_048_576 }
  const names = entries.map(({ dn }) => dn)
  const read = await withDirectory(ctx, settings, options, (directory) => readEntries(directory, settings, names))
  const rows: Row[] = []
  for (const one of read) rows.push(await importOne(ctx, server, one))
  const created = rows.filter(({ result }) => result === 'created')
  note(ctx, { after: { created: created.map(({ dn }) => dn) } })
  // a user who is disabled in the directory is disabled here moments later
  await enqueue(ctx, checkQueue, { ldapId: id }, { key: String(id) })
  return { created: created.length, rows }
}
