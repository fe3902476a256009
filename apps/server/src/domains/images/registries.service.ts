import type { Work } from '@gantry/contract/agents/protocol'
import type { Registry } from '@gantry/contract/images/registries'
import type { RegistryAction } from '@gantry/contract/images/registry-token'
import type { List } from '@gantry/contract/paging'
import { mask } from '@gantry/contract/validators'
import type { Page as NamesPage, PageOptions } from '../../adapters/registry/registry.ts'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { type Page, containing, countCap, paged } from '../../kernel/paging.ts'
import { keepSecret, open } from '../../kernel/secrets/secrets.ts'
import {
  deleteRegistry,
  findRegistry,
  insertRegistry,
  pipelinesUsing,
  registriesOf,
  servicesUsing,
  type StoredRegistry,
  updateRegistry,
  visible,
} from './registries.store.ts'
import { teamToken } from './sandbox.service.ts'

interface Input {
  name: string
  url: string
  username: string
  password: string
}

const originOf = (url: string): string => new URL(url).origin

const access = (ctx: Ctx, registry: Pick<StoredRegistry, 'url' | 'username' | 'password'>) => ({
  url: registry.url,
  username: registry.username,
  password: registry.password === null ? '' : open(ctx, registry.password),
})

/** A registry that the team may use, or 404. */
export async function usableRegistry(ctx: Ctx, teamId: number, id: number): Promise<StoredRegistry> {
  const registry = await findRegistry(ctx.db, id)
  if (!registry || (registry.teamId !== null && registry.teamId !== teamId))
    throw new Fault('missing', 'resource-missing')
  return registry
}

async function ownRegistry(ctx: Ctx, teamId: number, id: number): Promise<StoredRegistry> {
  const registry = await usableRegistry(ctx, teamId, id)
  if (registry.teamId === null) throw new Fault('forbidden', 'images-registry-shared', { name: registry.name })
  return registry
}

export const listRegistries = async (ctx: Ctx, teamId: number): Promise<Registry[]> =>
  (await registriesOf(ctx.db, teamId)).map((registry) => visible(registry, teamId))

const nameTaken = (name: string) => new Fault('conflict', 'images-registry-name-taken', { name })

/** Reached and signed in to before it is saved. */
export async function createRegistry(ctx: Ctx, teamId: number, input: Input): Promise<Registry> {
  note(ctx, { object: input.name, after: input })
  const stored = { ...input, password: keepSecret(ctx, input.password, null, false) }
  await ctx.ports.registry.verify(access(ctx, stored), ctx.signal, !ctx.actor.admin)
  return inTx(ctx, async (ctx) => {
    const id = await insertRegistry(ctx.db, { ...stored, teamId, sandbox: false })
    if (id === undefined) throw nameTaken(input.name)
    return visible(await usableRegistry(ctx, teamId, id), teamId)
  })
}

export async function changeRegistry(ctx: Ctx, teamId: number, id: number, input: Input): Promise<Registry> {
  const before = await ownRegistry(ctx, teamId, id)
  note(ctx, { object: before.name, before: visible(before, teamId), after: input })
  const same = originOf(before.url) === originOf(input.url)
  const stored = { ...input, password: keepSecret(ctx, input.password, before.password, same) }
  await ctx.ports.registry.verify(access(ctx, stored), ctx.signal, !ctx.actor.admin)
  return inTx(ctx, async (ctx) => {
    await updateRegistry(ctx.db, id, stored).catch(brokenConstraint('registry_name', nameTaken(input.name)))
    return visible(await ownRegistry(ctx, teamId, id), teamId)
  })
}

export const removeRegistry = (ctx: Ctx, teamId: number, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const registry = await ownRegistry(ctx, teamId, id)
    note(ctx, { object: registry.name, before: visible(registry, teamId) })
    const users = await pipelinesUsing(ctx.db, id)
    if (users.length > 0)
      throw new Fault('conflict', 'images-registry-in-use', { name: registry.name, pipelines: users.join(', ') })
    const services = await servicesUsing(ctx.db, id)
    if (services.length > 0)
      throw new Fault('conflict', 'images-registry-in-use-services', {
        name: registry.name,
        services: services.join(', '),
      })
    await deleteRegistry(ctx.db, id)
    return null
  })

/** The check behind the form's button. A masked password is the stored one only for the stored host. */
export async function verifyRegistry(
  ctx: Ctx,
  input: Omit<Input, 'name'> & { id?: number | undefined },
): Promise<null> {
  note(ctx, { object: input.url })
  let { password } = input
  if (input.id !== undefined) {
    const stored = await findRegistry(ctx.db, input.id)
    if (!stored || stored.teamId === null) throw new Fault('missing', 'resource-missing')
    const same = originOf(stored.url) === originOf(input.url)
    if (password === mask) password = same && stored.password !== null ? open(ctx, stored.password) : ''
  } else if (password === mask) password = ''
  const given = { url: input.url, username: input.username, password }
  await ctx.ports.registry.verify(given, ctx.signal, !ctx.actor.admin)
  return null
}

/** All names, page after page, as far as a list counts; `more` where there are others. */
async function allNames(read: (page: PageOptions) => Promise<NamesPage>): Promise<{ names: string[]; more: boolean }> {
  const names: string[] = []
  let after: string | null = null
  do {
    const page: NamesPage = await read({ limit: 1000, ...(after === null ? {} : { after }) })
    names.push(...page.names)
    after = page.next
  } while (after !== null && names.length < countCap)
  return { names, more: after !== null }
}

/** A registry's repositories, or a repository's tags, that carry the keyword. */
export async function listNames(
  ctx: Ctx,
  teamId: number,
  id: number,
  what: { repo?: string; keyword: string },
  at: Page,
): Promise<List<{ name: string }>> {
  const { repo, keyword } = what
  const target = await registryAccess(ctx, teamId, id, ['pull'])
  const { registry } = ctx.ports
  const { names, more } = await allNames((page) =>
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

/** What an agent needs to push to them; those that are gone, or another team's, are left out and the step fails by itself. */
export async function registriesForBuild(ctx: Ctx, teamId: number, ids: number[]): Promise<Work['registries']> {
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

/** host[:port] by which images of this registry are named. */
const registryHost = (registry: Pick<StoredRegistry, 'url'>): string => new URL(registry.url).host

/** The address and credential of a registry; for the sandbox's a token for the team's own repositories. */
export async function registryAccess(ctx: Ctx, teamId: number, id: number, actions: RegistryAction[]) {
  const registry = await usableRegistry(ctx, teamId, id)
  return { ...access(ctx, registry), token: registry.sandbox ? teamToken(ctx, teamId, actions) : undefined }
}

/** The credential with which a cluster pulls; undefined where none is needed. */
export async function pullCredential(ctx: Ctx, teamId: number, id: number) {
  const registry = await usableRegistry(ctx, teamId, id)
  const { username, password } = access(ctx, registry)
  return username === '' ? undefined : { id, host: registryHost(registry), username, password }
}

/** Deletes every image of a repository of a registry, by its tags. */
export async function removeImages(ctx: Ctx, teamId: number, id: number, repository: string): Promise<void> {
  const target = await registryAccess(ctx, teamId, id, ['pull', 'delete'])
  const { registry } = ctx.ports
  const { names } = await allNames((page) => registry.tags(target, repository, page)).catch((error: unknown) => {
    if (error instanceof Fault && error.key === 'registry-image-unknown') return { names: [] }
    throw error
  })
  for (const tag of names) {
    const digest = await ctx.ports.registry.digest(target, repository, tag, ctx.signal)
    if (digest !== null) await ctx.ports.registry.remove(target, repository, digest)
  }
}
