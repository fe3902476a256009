import type { Credential, CredentialBody } from '@gantry/contract/pipelines/credentials'
import type { Repository } from '@gantry/contract/pipelines/pipelines'
import { readSshUrl, repositoryHost } from '@gantry/contract/pipelines/repository-url'
import { mask } from '@gantry/contract/validators'
import { brokenConstraint } from '../../../db/constraint.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { openOr, seal } from '../../../kernel/secrets/secrets.ts'
import {
  deleteCredential,
  findCredential,
  insertCredential,
  type StoredCredential,
  updateCredential,
  usersOfCredential,
} from './credentials.store.ts'

/** How many of the pipelines that use a credential a refusal names. */
const maxNamed = 5

async function mustFind(ctx: Ctx, teamId: number, id: number, lock = false): Promise<StoredCredential> {
  return mustExist(await findCredential(ctx.db, teamId, id, { lock }))
}

export async function readCredential(ctx: Ctx, teamId: number, id: number): Promise<Credential> {
  const credential = await mustFind(ctx, teamId, id)
  return { ...credential, secret: mask, pipelineNum: (await usersOfCredential(ctx.db, id)).length }
}

const nameTaken = (name: string) => new Fault('conflict', 'credential-name-taken', { name })

export const createCredential = (ctx: Ctx, teamId: number, given: CredentialBody): Promise<Credential> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: given.name, after: { ...given, secret: mask } })
    if (given.secret === mask) throw new Fault('invalid', 'credential-secret-required')
    const id = await insertCredential(ctx.db, teamId, { ...given, secret: seal(ctx, given.secret) })
    if (id === undefined) throw nameTaken(given.name)
    return readCredential(ctx, teamId, id)
  })

/**
 * The mask stands for the stored secret only if host and kind stay, so that it is sent to no other host. While
 * pipelines use the credential, both cannot be changed at all.
 */
export const changeCredential = (
  ctx: Ctx,
  teamId: number,
  id: number,
  revision: number | undefined,
  given: CredentialBody,
): Promise<Credential> =>
  inTx(ctx, async (ctx) => {
    const before = await mustFind(ctx, teamId, id, true)
    const { name, description, kind, host, username } = before
    note(ctx, {
      object: name,
      before: { name, description, kind, host, username, secret: mask },
      after: { ...given, secret: mask },
    })
    if (revision !== undefined && revision !== before.revision)
      throw new Fault('conflict', 'credential-changed', { name })
    const moved = given.host !== host || given.kind !== kind
    const users = moved ? await usersOfCredential(ctx.db, id) : []
    if (users.length > 0) throw inUse(name, users)
    if (moved && given.secret === mask) throw new Fault('invalid', 'credential-secret-required')
    const secret = given.secret === mask ? before.secret : seal(ctx, given.secret)
    await updateCredential(ctx.db, id, { ...given, secret }).catch(
      brokenConstraint('pipeline_credential_name', nameTaken(given.name)),
    )
    return readCredential(ctx, teamId, id)
  })

const inUse = (name: string, users: string[]) =>
  new Fault('conflict', 'credential-in-use', {
    name,
    count: users.length,
    pipelines: users.slice(0, maxNamed).join(', '),
  })

export const removeCredential = (ctx: Ctx, teamId: number, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const { name, description, kind, host, username } = await mustFind(ctx, teamId, id, true)
    note(ctx, { object: name, before: { name, description, kind, host, username } })
    const users = await usersOfCredential(ctx.db, id)
    if (users.length > 0) throw inUse(name, users)
    await deleteCredential(ctx.db, id)
    return null
  })

/** The credential of a repository. Refused if it is another team's (404), or for another host or kind of address. */
async function fitting(
  ctx: Ctx,
  teamId: number,
  { credentialId, url }: Pick<Repository, 'credentialId' | 'url'>,
): Promise<StoredCredential | undefined> {
  if (credentialId === null) return undefined
  const credential = await mustFind(ctx, teamId, credentialId)
  const { name, host } = credential
  if (repositoryHost(url)?.toLowerCase() !== host) throw new Fault('invalid', 'credential-other-host', { name, host })
  if ((credential.kind === 'ssh') !== (readSshUrl(url) !== undefined))
    throw new Fault('invalid', `credential-wrong-kind-${credential.kind === 'ssh' ? 'ssh' : 'https'}`, { name })
  return credential
}

/** Refuses a repository whose credential does not fit it. */
export const mustFit = async (ctx: Ctx, teamId: number, repository: Repository | null | undefined): Promise<void> => {
  if (repository) await fitting(ctx, teamId, repository)
}

type Secrets = Pick<Repository, 'credentialId' | 'url' | 'username' | 'password' | 'privateKey'>

/** A repository with the plain secrets of its credential in place of its own, which are in plain text already. */
export async function withCredential<R extends Secrets>(ctx: Ctx, teamId: number, repository: R): Promise<R> {
  const credential = await fitting(ctx, teamId, repository)
  if (!credential) return repository
  const { name } = credential
  const secret = openOr(ctx, credential.secret, () => new Fault('conflict', 'credential-sealed', { name }))
  return credential.kind === 'ssh'
    ? { ...repository, username: '', password: '', privateKey: secret }
    : { ...repository, username: credential.username, password: secret, privateKey: '' }
}
