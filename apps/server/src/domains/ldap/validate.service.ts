import type { LdapEntry } from '@gantry/contract/ldap/ldap'
import { normalDn } from '../../adapters/ldap/dn.ts'
import type { Directory } from '../../adapters/ldap/ldap.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { accountsWithEmail, findBySubjects, providerOf } from './accounts.store.ts'
import {
  findUsers,
  memberFilter,
  membershipOf,
  membersOf,
  nothingThere,
  type Settings,
  shortBudget,
  withDirectory,
} from './directory.ts'
import type { DirectoryUser } from './entry.ts'
import { asProblem, checkFailed, validateSettings } from './problems.ts'

/** Maximum that is counted, so that a huge directory is not read for a number. */
const maxCounted = 1_000

/** Maximum of examples. */
const maxUsers = 5
const maxGroups = 20
const maxEmails = 20
/** Maximum of groups in which a member is looked for. */
const triedGroups = 5

export interface Findings {
  users: number
  groups: number
  sample: LdapEntry[]
  groupSample: string[]
  missing: string[]
  unknownGroups: string[]
  sharedEmails: { email: string; names: string[] }[]
}

/** Entries as pages show them, with whether each already has an account. */
export async function shownEntries(ctx: Ctx, ldapId: number | undefined, users: DirectoryUser[]): Promise<LdapEntry[]> {
  const subjects = users.flatMap((user) => user.subjects)
  const known = ldapId === undefined ? [] : await findBySubjects(ctx.db, ldapId, subjects)
  const imported = new Set(known.map(({ subject }) => subject))
  return users.map(({ dn, userName, nickname, email, disabled, subjects }) => ({
    dn,
    userName,
    nickname,
    email,
    disabled,
    imported: subjects.some((subject) => imported.has(subject)),
  }))
}

async function findGroups(directory: Directory, settings: Settings): Promise<string[]> {
  const { entries } = await directory.search({
    base: settings.groupBaseDn || settings.baseDn,
    scope: 'sub',
    filter: { is: 'present', attribute: membershipOf(settings).attribute },
    attributes: ['1.1'],
    limit: maxCounted,
  })
  return entries.map(({ dn }) => dn)
}

/** Mapped groups that are not in the list of groups, looked up one by one. */
async function unknownOf(directory: Directory, settings: Settings, known: string[]): Promise<string[]> {
  const there = new Set(known.map(normalDn))
  const groups = [...new Set(settings.mappings.map(({ group }) => group))].filter(
    (group) => !there.has(normalDn(group)),
  )
  const found = await Promise.all(
    groups.map((base) =>
      directory
        .search({
          base,
          scope: 'base',
          filter: { is: 'present', attribute: 'objectClass' },
          attributes: ['1.1'],
          limit: 1,
        })
        .catch(nothingThere),
    ),
  )
  return groups.filter((_, at) => found[at]?.entries.length === 0)
}

/** A directory that does not know the rule silently finds nobody by it; so the rule must find a known direct member. */
async function mustHaveRule(ctx: Ctx, directory: Directory, settings: Settings, groups: string[]): Promise<void> {
  const { rule } = membershipOf(settings)
  if (rule === undefined) return
  for (const base of groups.slice(0, triedGroups)) {
    const [dn] = await membersOf(directory, settings, base)
    if (dn === undefined) continue
    const filter = memberFilter(settings, { dn, uid: '' })
    const { entries } = await directory.search({ base, scope: 'base', filter, attributes: ['1.1'], limit: 1 })
    if (entries.length > 0) return
    throw checkFailed(ctx.lang, 'groupMemberAttribute', 'ldap-rule-unsupported', { host: directory.host, rule })
  }
}

/** Addresses that several users share: in the directory, or with an account of another origin. */
async function sharedEmailsOf(ctx: Ctx, ldapId: number | undefined, users: DirectoryUser[]) {
  const own = new Set(users.flatMap(({ subjects }) => subjects))
  const accounts = await accountsWithEmail(
    ctx.db,
    users.map(({ email }) => email),
  )
  const others = accounts.filter(
    ({ type, provider, subject }) =>
      ldapId === undefined || type !== 'LDAP' || provider !== providerOf(ldapId) || !own.has(subject),
  )
  const all = [...users, ...others].filter(({ email }) => email !== '')
  return [...Map.groupBy(all, ({ email }) => email.toLowerCase())]
    .map(([email, owners]) => ({ email, names: owners.map(({ userName }) => userName).slice(0, maxUsers) }))
    .filter(({ names }) => names.length > 1)
    .slice(0, maxEmails)
}

/**
 * Connects, binds and searches with these settings, within 5 s, and returns what was found; throws a problem of a
 * field.
 */
export async function examine(ctx: Ctx, settings: Settings, ldapId?: number): Promise<Findings> {
  validateSettings(ctx.lang, settings)
  try {
    return await withDirectory(ctx, settings, { budget: shortBudget }, async (directory) => {
      const { users } = await findUsers(directory, settings, { limit: maxCounted })
      const vars = { host: directory.host, what: settings.baseDn }
      if (users.length === 0) throw new Fault('invalid', 'ldap-no-users', vars)
      if (users.every(({ userName }) => userName === ''))
        throw new Fault('invalid', 'ldap-attribute-missing', { attribute: settings.userNameAttribute })
      const groups = await findGroups(directory, settings).catch((error: unknown) => {
        throw asProblem(ctx.lang, error, settings.groupBaseDn === '' ? undefined : 'groupBaseDn')
      })
      await mustHaveRule(ctx, directory, settings, groups)
      const optional = [
        // the user name replaces a missing nickname
        [settings.nicknameAttribute, users.every(({ nickname, userName }) => nickname === userName)],
        [settings.emailAttribute, users.every(({ email }) => email === '')],
      ] as const
      return {
        users: users.length,
        groups: groups.length,
        sample: await shownEntries(ctx, ldapId, users.slice(0, maxUsers)),
        groupSample: groups.slice(0, maxGroups),
        missing: optional
          .filter(([name, none]) => none && name.toLowerCase() !== settings.userNameAttribute.toLowerCase())
          .map(([name]) => name),
        unknownGroups: await unknownOf(directory, settings, groups),
        sharedEmails: await sharedEmailsOf(ctx, ldapId, users),
      }
    })
  } catch (error) {
    throw asProblem(ctx.lang, error)
  }
}
