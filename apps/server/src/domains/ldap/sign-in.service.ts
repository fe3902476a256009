import { randomUUID } from 'node:crypto'
import { escapeDnValue } from '../../adapters/ldap/dn.ts'
import { equal } from '../../adapters/ldap/filter.ts'
import type { Directory } from '../../adapters/ldap/ldap.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { note } from '../../kernel/audit.ts'
import type { Browser, Login } from '../../identity/sign-in.ts'
import { countFailure, openLogin } from '../auth/public.ts'
import type { MappedTeam } from '../teams/public.ts'
import { keepExternal } from '../users/public.ts'
import { findBySubjects, keepEntry, providerOf } from './accounts.store.ts'
import { type DirectoryUser, fingerprint } from './entry.ts'
import { bindReader, findUsers, type Settings, settingsOf, shortBudget, teamsOf, withDirectory } from './directory.ts'
import { findServer, noteProblem, type StoredServer } from './servers.store.ts'
import { unbar } from './account-status.service.ts'

interface Input {
  username: string
  password: string
  ldapId?: number | undefined
}

interface Verified {
  /** The entry with this user name, whether or not the password is right. */
  user: DirectoryUser | undefined
  right: boolean
  teams: MappedTeam[]
}

const refused = () => new Fault('invalid', 'login-refused')

/** The only entry with the name. Two count as none, because we cannot guess which is meant. */
async function findOne(ctx: Ctx, directory: Directory, settings: Settings, name: string) {
  const { users, more, references } = await findUsers(directory, settings, {
    filter: equal(settings.userNameAttribute, name),
    limit: 1,
  })
  const [user] = users
  if (more) {
    ctx.log.warn(
      { directory: settings.name, userName: name, dn: user?.dn },
      'several entries have this user name: refused',
    )
    return undefined
  }
  if (!user && references > 0)
    ctx.log.warn(
      { directory: settings.name, userName: name, references },
      'the directory refers to others, which are not asked',
    )
  return user && user.subjects.length > 0 && user.userName !== '' ? user : undefined
}

/** Unknown names cost the same as wrong passwords: one search and one bind. */
async function ask(ctx: Ctx, settings: Settings, { username, password }: Input): Promise<Verified> {
  return withDirectory(ctx, settings, { budget: shortBudget, maxBytes: 1_048_576 }, async (directory) => {
    const user = await findOne(ctx, directory, settings, username.trim())
    if (!user) {
      const nobody = `cn=${escapeDnValue(randomUUID())},${settings.baseDn}`
      await directory.bind(nobody, randomUUID()).catch(() => false)
      return { user, right: false, teams: [] }
    }
    if (!(await directory.bind(user.dn, password))) return { user, right: false, teams: [] }
    if (settings.mappings.length === 0) return { user, right: true, teams: [] }
    await bindReader(directory, settings)
    return { user, right: true, teams: await teamsOf(directory, settings, user) }
  })
}

/** Tells a visitor only that the directory fails; its address and the reason are for administrators. */
async function askOrTell(ctx: Ctx, server: StoredServer, given: Input): Promise<Verified> {
  try {
    return await ask(ctx, settingsOf(ctx, server), given)
  } catch (error) {
    if (!(error instanceof Fault) || ctx.signal.aborted) throw error
    ctx.log.warn(
      { err: error.cause, directory: server.name, key: error.key, vars: error.vars },
      'a directory failed at a sign-in',
    )
    await noteProblem(ctx.db, server.id, { key: error.key, vars: error.vars })
    const key = error.key === 'ldap-timeout' ? 'ldap-login-timeout' : 'ldap-login-down'
    throw new Fault('unavailable', key, { name: server.name })
  }
}

/**
 * Logs in a user of a directory: found by the searching account, then bound with the given password. An empty or blank
 * password is refused before anything is sent, because directories accept it as anonymous.
 */
export async function signIn(ctx: Ctx, given: Input, browser: Browser | undefined): Promise<Login> {
  if (given.ldapId === undefined) throw new Fault('invalid', 'ldap-choose')
  const server = await findServer(ctx.db, given.ldapId)
  if (!server?.enabled) throw new Fault('invalid', 'ldap-off')
  if (given.password.trim() === '' || given.password.includes('\0') || /\p{Cc}/u.test(given.username)) {
    await countFailure(ctx, undefined, browser)
    throw refused()
  }
  const { user, right, teams } = await askOrTell(ctx, server, given)
  const [account] = user ? await findBySubjects(ctx.db, server.id, user.subjects) : []
  if (user) note(ctx, { object: user.userName })
  if (!user || !right) {
    await countFailure(ctx, account?.id, browser)
    throw refused()
  }
  if (user.disabled) throw new Fault('invalid', 'login-disabled')
  const { userName, nickname, email, subjects } = user
  const subject = account?.subject ?? subjects[0] ?? ''
  const external = { type: 'LDAP', provider: providerOf(server.id), subject, userName, nickname, email } as const
  const accountId = await inTx(ctx, async (ctx) => {
    if (account) await unbar(ctx, { id: account.id, userName })
    const accountId = await keepExternal(ctx, external, { create: server.createAtLogin, teams })
    if (accountId !== undefined) await keepEntry(ctx.db, accountId, user.dn, fingerprint(user, teams))
    return accountId
  })
  if (accountId === undefined) throw new Fault('forbidden', 'login-not-imported')
  // changes from the directory are kept even if the login is refused: a user without a team can then be added to one
  return openLogin(ctx, accountId, { passwordHash: null, browser })
}
