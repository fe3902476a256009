import type { z } from 'zod'
import type { ldap, LdapServer } from '@gantry/contract/ldap/ldap'
import { mask } from '@gantry/contract/validators'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import { sayReason } from '../../kernel/phrase.ts'
import { keepSecret, open, maskSealed } from '../../kernel/secrets/secrets.ts'
import { mappingProblem } from '../teams/public.ts'
import { removeUsers } from '../users/public.ts'
import { accountIds, countAccounts } from './accounts.store.ts'
import { checkQueue } from './check.service.ts'
import { checkFailed, validateSettings } from './problems.ts'
import {
  allServers,
  deleteServer,
  findServer,
  insertServer,
  lockServer,
  type StoredServer,
  updateServer,
} from './servers.store.ts'
import { examine, type Findings } from './validate.service.ts'
import { mustBeMadeOn, revisionOf } from '../../db/revision.ts'

type Input = z.output<typeof ldap.create.body>

const serverRevision = ({ checkedAt: _, problem: __, ...edited }: StoredServer): string => revisionOf(edited)

function visible(ctx: Ctx, server: StoredServer, users: number): LdapServer {
  const { bindPassword, checkedAt, problem, ...fields } = server
  return {
    ...fields,
    bindPassword: maskSealed(bindPassword),
    users,
    lastCheckedAt: checkedAt,
    problem: sayReason(ctx.lang, problem),
    revision: serverRevision(server),
  }
}

export async function mustFindServer(ctx: Ctx, id: number): Promise<StoredServer> {
  return mustExist(await findServer(ctx.db, id))
}

export async function listServers(ctx: Ctx): Promise<LdapServer[]> {
  const users = await countAccounts(ctx.db)
  return (await allServers(ctx.db)).map((server) => visible(ctx, server, users.get(String(server.id)) ?? 0))
}

async function oneServer(ctx: Ctx, id: number): Promise<LdapServer> {
  const users = await countAccounts(ctx.db)
  return visible(ctx, await mustFindServer(ctx, id), users.get(String(id)) ?? 0)
}

/** The mask stands for the stored password only if it is sent to the same directory for the same account. */
function meantPassword(ctx: Ctx, given: Input, stored: StoredServer | undefined): string {
  if (given.bindPassword !== mask) return given.bindPassword
  const same = stored?.url === given.url && stored.bindDn === given.bindDn
  if (same && stored.bindPassword !== null) return open(ctx, stored.bindPassword)
  if (given.bindDn === '') return ''
  throw checkFailed(ctx.lang, 'bindPassword', 'ldap-password-again')
}

const nameTaken = (name: string) =>
  brokenConstraint('ldap_server_name', new Fault('conflict', 'ldap-name-taken', { name }))

async function mustHaveTeams(ctx: Ctx, { mappings }: Input): Promise<void> {
  const lost = await mappingProblem(ctx, mappings)
  if (lost) throw checkFailed(ctx.lang, lost.path, lost.key)
}

/** Tests the settings, unless the directory is disabled: then it may be misconfigured and unreachable. */
async function mustWork(ctx: Ctx, settings: Input, ldapId?: number): Promise<void> {
  await mustHaveTeams(ctx, settings)
  if (settings.enabled) await examine(ctx, settings, ldapId)
  else validateSettings(ctx.lang, settings)
}

export async function createServer(ctx: Ctx, given: Input): Promise<LdapServer> {
  note(ctx, { object: given.name, after: given })
  const bindPassword = meantPassword(ctx, given, undefined)
  await mustWork(ctx, { ...given, bindPassword })
  const stored = { ...given, bindPassword: keepSecret(ctx, bindPassword, null, false) }
  return inTx(ctx, async (ctx) => {
    const { id } = await insertServer(ctx.db, stored).catch(nameTaken(given.name))
    return oneServer(ctx, id)
  })
}

/** Disabling a directory prevents logins and disables its users; once it is enabled the next check restores them. */
export async function changeServer(
  ctx: Ctx,
  id: number,
  { revision, ...given }: Input & { revision?: string | undefined },
): Promise<LdapServer> {
  const before = await mustFindServer(ctx, id)
  const seen = revision ?? serverRevision(before)
  note(ctx, { object: before.name, before: visible(ctx, before, 0), after: given })
  const bindPassword = meantPassword(ctx, given, before)
  await mustWork(ctx, { ...given, bindPassword }, id)
  const kept = given.bindPassword === mask ? before.bindPassword : keepSecret(ctx, bindPassword, null, false)
  return inTx(ctx, async (ctx) => {
    if (!(await lockServer(ctx.db, id))) throw new Fault('missing', 'resource-missing')
    mustBeMadeOn(serverRevision(await mustFindServer(ctx, id)), seen)
    await updateServer(ctx.db, id, { ...given, bindPassword: kept }).catch(nameTaken(given.name))
    await enqueue(ctx, checkQueue, { ldapId: id }, { key: String(id) })
    return oneServer(ctx, id)
  })
}

export const removeServer = (ctx: Ctx, id: number, force: boolean): Promise<null> =>
  inTx(ctx, async (ctx) => {
    if (!(await lockServer(ctx.db, id))) throw new Fault('missing', 'resource-missing')
    const { name } = await mustFindServer(ctx, id)
    const users = await accountIds(ctx.db, id)
    if (users.length > 0 && !force) throw new Fault('conflict', 'ldap-in-use', { name, count: users.length })
    if (users.length > 0) await removeUsers(ctx, users)
    await deleteServer(ctx.db, id)
    note(ctx, { object: name })
    return null
  })

/** Behind the form's button. */
export async function validateServer(ctx: Ctx, given: z.output<typeof ldap.validate.body>): Promise<Findings> {
  const { id, ...fields } = given
  note(ctx, { object: fields.url })
  const stored = id === undefined ? undefined : await mustFindServer(ctx, id)
  await mustHaveTeams(ctx, fields)
  return examine(ctx, { ...fields, bindPassword: meantPassword(ctx, fields, stored) }, id)
}
