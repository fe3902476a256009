import type { Work } from '@gantry/contract/agents/work'
import type { Registry } from '@gantry/contract/images/registries'
import type { RegistryAction } from '@gantry/contract/images/registry-token'
import type { List } from '@gantry/contract/paging'
import { mask } from '@gantry/contract/validators'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { isCertificates } from '../../kernel/certificates.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { inLanes } from '../../kernel/concurrency/lanes.ts'
import { type Page, containing, everyName, paged } from '../../kernel/paging.ts'
import { keepSecret, open, openOr } from '../../kernel/secrets/secrets.ts'
import { namesInHarbor } from '../harbor/public.ts'
import {
  deleteRegistry,
  findRegistry,
  findUsable,
  insertRegistry,
  pipelinesUsing,
  registriesOf,
  registryRevision,
  servicesUsing,
  type StoredRegistry,
  updateRegistry,
  visible,
} from './registries.store.ts'
import { teamToken } from './sandbox.service.ts'
import { lockRow, mustBeMadeOn } from '../../db/revision.ts'

export interface RegistryGiven {
  name: string
  url: string
  username: string
  password: string
  ca: string
}

const originOf = (url: string): string => new URL(url).origin

const access = (ctx: Ctx, registry: Pick<StoredRegistry, 'url' | 'username' | 'password' | 'ca'>) => ({
  url: registry.url,
  username: registry.username,
  password:
    registry.password === null
      ? ''
      : openOr(ctx, registry.password, () => new Fault('conflict', 'images-registry-sealed', { url: registry.url })),
  ca: registry.ca,
})

function mustBeAuthority({ ca }: Pick<RegistryGiven, 'ca'>): void {
  if (ca !== '' && !isCertificates(ca)) throw new Fault('invalid', 'registry-ca-invalid')
}

/** A registry that the team may use; 404 if there is none. */
export async function usableRegistry(ctx: Ctx, teamId: number, id: number): Promise<StoredRegistry> {
  return mustExist(await findUsable(ctx.db, teamId, id))
}

async function ownRegistry(ctx: Ctx, teamId: number, id: number): Promise<StoredRegistry> {
  const registry = await usableRegistry(ctx, teamId, id)
  if (registry.teamId === null) throw new Fault('forbidden', 'images-registry-shared', { name: registry.name })
  if (registry.harborId !== null) throw new Fault('forbidden', 'images-registry-of-harbor', { name: registry.name })
  return registry
}

export const listRegistries = async (ctx: Ctx, teamId: number): Promise<Registry[]> =>
  (await registriesOf(ctx.db, teamId)).map((registry) => visible(registry, teamId))

const nameTaken = (name: string) => new Fault('conflict', 'images-registry-name-taken', { name })

/** Logs in to the registry before it is saved; it belongs to a team, or (null) to the platform. */
export async function addRegistry(ctx: Ctx, teamId: number | null, input: RegistryGiven): Promise<number> {
  note(ctx, { object: input.name, after: input })
  mustBeAuthority(input)
  const stored = { ...input, password: keepSecret(ctx, input.password, null, false) }
  await ctx.ports.registry.verify(access(ctx, stored), ctx.signal)
  return inTx(ctx, async (ctx) => {
    const id = await insertRegistry(ctx.db, { ...stored, teamId, sandbox: false })
    if (id === undefined) throw nameTaken(input.name)
    return id
  })
}

/** The edited fields. */
export interface RegistryEdit extends RegistryGiven {
  revision?: string | undefined
}

export async function storeRegistry(
  ctx: Ctx,
  before: StoredRegistry,
  { revision = registryRevision(before), ...input }: RegistryEdit,
): Promise<void> {
  note(ctx, { object: before.name, before: visible(before, before.teamId), after: input })
  mustBeAuthority(input)
  const same = originOf(before.url) === originOf(input.url)
  const stored = { ...input, password: keepSecret(ctx, input.password, before.password, same) }
  await ctx.ports.registry.verify(access(ctx, stored), ctx.signal)
  await inTx(ctx, async (ctx) => {
    await lockRow(ctx.db, 'registry', before.id)
    const now = await findRegistry(ctx.db, before.id)
    mustBeMadeOn(now ? registryRevision(now) : '', revision)
    await updateRegistry(ctx.db, before.id, stored).catch(brokenConstraint('registry_name', nameTaken(input.name)))
  })
}

/** Refused while pipelines or services use it, of one team or of any; the refusal names them. */
export async function refuseUsed(ctx: Ctx, { id, name }: StoredRegistry, teamId?: number): Promise<void> {
  const users = await pipelinesUsing(ctx.db, id, teamId)
  if (users.length > 0) throw new Fault('conflict', 'images-registry-in-use', { name, pipelines: users.join(', ') })
  const services = await servicesUsing(ctx.db, id, teamId)
  if (services.length > 0)
    throw new Fault('conflict', 'images-registry-in-use-services', { name, services: services.join(', ') })
}

/** Called in a transaction. */
export async function dropRegistry(ctx: Ctx, registry: StoredRegistry): Promise<null> {
  note(ctx, { object: registry.name, before: visible(registry, registry.teamId) })
  await refuseUsed(ctx, registry)
  await deleteRegistry(ctx.db, registry.id)
  return null
}

export async function createRegistry(ctx: Ctx, teamId: number, input: RegistryGiven): Promise<Registry> {
  const id = await addRegistry(ctx, teamId, input)
  return visible(await usableRegistry(ctx, teamId, id), teamId)
}

export async function changeRegistry(ctx: Ctx, teamId: number, id: number, input: RegistryEdit): Promise<Registry> {
  await storeRegistry(ctx, await ownRegistry(ctx, teamId, id), input)
  return visible(await ownRegistry(ctx, teamId, id), teamId)
}

export const removeRegistry = (ctx: Ctx, teamId: number, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => dropRegistry(ctx, await ownRegistry(ctx, teamId, id)))

/** Behind the form's button. A masked password stands for the stored one only if the host is the same. */
export async function verifyRegistry(
  ctx: Ctx,
  input: Omit<RegistryGiven, 'name'> & { id?: number | undefined },
): Promise<null> {
  note(ctx, { object: input.url })
  mustBeAuthority(input)
  let { password } = input
  if (input.id !== undefined) {
    const stored = await findRegistry(ctx.db, input.id)
    if (!stored || stored.sandbox) throw new Fault('missing', 'resource-missing')
    const same = originOf(stored.url) === originOf(input.url)
    if (password === mask) password = same && stored.password !== null ? open(ctx, stored.password) : ''
  } else if (password === mask) password = ''
  const given = { url: input.url, username: input.username, password, ca: input.ca }
  await ctx.ports.registry.verify(given, ctx.signal)
  return null
}

/** A registry's repositories, or a repository's tags, whose names contain the keyword. */
export async function listNames(
  ctx: Ctx,
  teamId: number,
  id: number,
  what: { repo?: string; keyword: string },
  at: Page,
): Promise<List<{ name: string }>> {
  const { repo, keyword } = what
  const usable = await usableRegistry(ctx, teamId, id)
  if (usable.harborId !== null) return namesInHarbor(ctx, teamId, usable.harborId, what, at)
  const target = accessFor(ctx, usable, teamId, ['pull'])
  const { registry } = ctx.ports
  const { names, more } = await everyName((page) =>
    repo === undefined
      ? registry.repositories(target, { ...page, signal: ctx.signal })
      : registry.tags(target, repo, { ...page, signal: ctx.signal }),
  )
  const found = containing(names, keyword, (name) => [name])
  const list = paged(
    found.map((name) => ({ name })),
    at,
  )
  return more ? { ...list, truncated: true } : list
}

/** Time limit for finding out which tags of a page are dangling; the others count as not dangling. */
const danglingMs = 3000
const lanes = 16

/** The tags of a repository for pickers, with those whose manifest is missing. A Harbor has none of those. */
export async function listTagNames(
  ctx: Ctx,
  teamId: number,
  id: number,
  what: { repo: string; keyword: string },
  at: Page,
): Promise<List<{ name: string; dangling: boolean }>> {
  const list = await listNames(ctx, teamId, id, what, at)
  const usable = await usableRegistry(ctx, teamId, id)
  const target = accessFor(ctx, usable, teamId, ['pull'])
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(danglingMs)])
  const items = await inLanes(list.items, lanes, async ({ name }) => {
    if (usable.harborId !== null || signal.aborted) return { name, dangling: false }
    try {
      return { name, dangling: (await ctx.ports.registry.digest(target, what.repo, name, signal)) === null }
    } catch (error) {
      if (!(error instanceof Fault) && !signal.aborted) throw error
      return { name, dangling: false }
    }
  })
  return { ...list, items }
}

/** Access for an agent that pushes to these registries. Others are left out, so their step fails. */
export async function registriesForBuild(ctx: Ctx, teamId: number, ids: number[]): Promise<Work['registries']> {
  if (ids.length === 0) return []
  const usable = await registriesOf(ctx.db, teamId)
  return usable
    .filter((registry) => ids.includes(registry.id))
    .map((registry) => ({
      id: registry.id,
      ...access(ctx, registry),
      insecure: registry.url.startsWith('http:'),
      tokens: registry.sandbox,
    }))
}

/** `host[:port]` in the names of this registry's images. */
const registryHost = (registry: Pick<StoredRegistry, 'url'>): string => new URL(registry.url).host

/** Address and credentials of a registry; for the sandbox's a token for the team's own repositories. */
export const registryAccess = async (ctx: Ctx, teamId: number, id: number, actions: RegistryAction[]) =>
  accessFor(ctx, await usableRegistry(ctx, teamId, id), teamId, actions)

/** The same; with null for the platform, which sees every repository of the sandbox's registry. */
export const accessFor = (ctx: Ctx, registry: StoredRegistry, teamId: number | null, actions: RegistryAction[]) => ({
  ...access(ctx, registry),
  token: registry.sandbox ? teamToken(ctx, teamId, actions) : undefined,
})

/** The credentials with which a cluster pulls; undefined if none are needed. */
export async function pullCredential(ctx: Ctx, teamId: number, id: number) {
  const registry = await usableRegistry(ctx, teamId, id)
  const { username, password } = access(ctx, registry)
  return username === '' ? undefined : { id, host: registryHost(registry), username, password }
}

/** Deletes all images of a repository, by their tags. */
export async function removeImages(ctx: Ctx, teamId: number, id: number, repository: string): Promise<void> {
  const target = await registryAccess(ctx, teamId, id, ['pull', 'delete'])
  const { registry } = ctx.ports
  const { names } = await everyName((page) => registry.tags(target, repository, page)).catch((error: unknown) => {
    if (error instanceof Fault && error.key === 'registry-image-unknown') return { names: [], more: false }
    throw error
  })
  for (const tag of names) {
    const digest = await ctx.ports.registry.digest(target, repository, tag, ctx.signal)
    if (digest !== null) await ctx.ports.registry.remove(target, repository, digest)
  }
}
