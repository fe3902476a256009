import { type Access, type Endpoint, permissionsOf } from '@gantry/contract/endpoint'
import type { Db } from '../db/tables.gen.ts'
import { mustHold, mustHoldInOneOf, mustHoldSomewhere, mustHoldSystem } from '../identity/access.ts'
import { Fault } from '../kernel/fault.ts'
import { anonymous, type Caller, findApiToken, findSession, hashToken, tokenKind } from '../identity/sessions.ts'
import type { Credential, Owner, Server } from './server.ts'

/** Reads `Authorization: Bearer …`. Undefined: no header; null: a header that cannot be valid. */
export function bearerOf(header: string | undefined): string | null | undefined {
  if (header === undefined || header === '') return undefined
  return /^Bearer ([A-Za-z0-9._~+/=-]{1,200})$/i.exec(header)?.[1] ?? null
}

/** The user whose token this is; undefined where it is unknown or no longer valid. */
export async function personOf(
  { database: { db } }: Pick<Server, 'database'>,
  token: string,
): Promise<Caller | undefined> {
  const kind = tokenKind(token)
  if (kind === 'session') return findSession(db, token)
  return kind === 'api' ? findApiToken(db, token) : undefined
}

async function agentOf(
  { database: { db } }: Pick<Server, 'database'>,
  credential: Credential | undefined,
  token: string,
): Promise<Caller | undefined> {
  const agent = await credential?.find(db, hashToken(token))
  return agent && { actor: { kind: 'agent', id: agent.id, name: agent.name, admin: false }, newlyBuilt: false, token }
}

/** Finds the agent whose token the header contains, by the given credential. */
export async function agentBy(
  server: Pick<Server, 'database'>,
  credential: Credential,
  header: string | undefined,
): Promise<Caller | undefined> {
  const token = bearerOf(header)
  return token ? agentOf(server, credential, token) : undefined
}

/** Authenticates the caller. An invalid token counts as none where anyone may call, and is 401 elsewhere. */
export async function identify(server: Server, header: string | undefined, access: Access): Promise<Caller> {
  const token = bearerOf(header)
  const agent = token && access === 'agent' ? await agentOf(server, server.credential, token) : undefined
  const caller = agent ?? (token ? await personOf(server, token) : undefined)
  if (caller) return caller
  if (access === 'public') return anonymous
  throw new Fault('unauthenticated', token === undefined ? 'not-signed-in' : 'session-over')
}

const missing = () => new Fault('missing', 'resource-missing')

/** The team that a stored object belongs to, or the teams that share it. */
async function teamsOf(
  db: Db,
  owners: Map<string, Owner>,
  kind: string,
  id: string,
): Promise<number | readonly number[] | 'every'> {
  const owner = owners.get(kind)
  if (!owner) throw new Error(`no owner file for ${kind}`)
  const teams = await ('teamOf' in owner ? owner.teamOf(db, id) : owner.teamsOf(db, id))
  if (teams === undefined) throw missing()
  return teams
}

export type Admission = Pick<
  Endpoint,
  'access' | 'method' | 'audit' | 'beforePasswordChange' | 'forTokens' | 'whileViewing'
>

/** An API token acts in its team only, and never for its creator's own account. */
function refuseToken({ apiToken }: Caller, { access, forTokens }: Admission, team: number | undefined): void {
  if (!apiToken) return
  if (team !== undefined && team !== apiToken.teamId) throw new Fault('unauthenticated', 'token-other-team')
  const named = typeof access === 'object' && !('system' in access)
  if (forTokens === false || (!named && !forTokens)) throw new Fault('forbidden', 'token-not-here')
}

/** A view as a role is read-only: calls that leave an audit row are refused. */
function refuseView({ actor: { limit } }: Caller, { method, audit, whileViewing }: Admission): void {
  if (limit?.kind !== 'view' || whileViewing) return
  if (method !== 'GET' || audit !== undefined)
    throw new Fault('forbidden', 'view-as-read-only', { role: limit.roleName })
}

/**
 * Authorizes the call, or throws the refusal. Returns the team that the call is about; undefined where it is about none
 * or several teams share its object.
 *
 * A team that the caller is not in, existing or not, is 403 `user-team`. An object of such a team is 404, exactly like
 * one that does not exist.
 *
 * `named`: the parameters of the path, or the body where `access` is decided by one of its fields.
 */
export async function admit(
  server: Pick<Server, 'database' | 'owners'>,
  caller: Caller,
  admission: Admission,
  named: Record<string, unknown>,
): Promise<number | undefined> {
  const { access } = admission
  const { actor } = caller
  const { db } = server.database
  if (access === 'public') return undefined
  if (actor.kind === 'anonymous') throw new Fault('unauthenticated', 'not-signed-in')
  if (access === 'agent') {
    if (actor.kind !== 'agent') throw new Fault('forbidden', 'agent-only')
    return undefined
  }
  if (caller.newlyBuilt && !admission.beforePasswordChange) throw new Fault('forbidden', 'initial-password-first')
  refuseView(caller, admission)
  if (typeof access === 'string') {
    refuseToken(caller, admission, undefined)
    if (access === 'admin' && !actor.admin) throw new Fault('forbidden', 'admin-only')
    return undefined
  }
  if ('system' in access) {
    refuseToken(caller, admission, undefined)
    await mustHoldSystem({ db, actor }, access.system)
    return undefined
  }
  if ('team' in access) {
    const team = Number(named[access.team])
    refuseToken(caller, admission, team)
    await mustHold({ db, actor }, team, ...permissionsOf(access))
    return team
  }
  const id = named[access.by]
  if (id === undefined && access.otherwise !== undefined) {
    refuseToken(caller, admission, caller.apiToken?.teamId)
    await mustHoldSomewhere({ db, actor }, access.otherwise)
    return undefined
  }
  const team = await teamsOf(db, server.owners, access.owner, String(id))
  if (typeof team !== 'number') {
    refuseToken(caller, admission, caller.apiToken?.teamId)
    await mustHoldInOneOf({ db, actor }, team, ...permissionsOf(access))
    return undefined
  }
  if (caller.apiToken && caller.apiToken.teamId !== team) throw missing()
  refuseToken(caller, admission, team)
  await mustHold({ db, actor }, team, ...permissionsOf(access)).catch((error: unknown) => {
    throw error instanceof Fault && error.key === 'user-team' ? missing() : error
  })
  return team
}
