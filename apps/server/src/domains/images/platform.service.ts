import type { PlatformRegistry } from '@gantry/contract/images/platform-registries'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import {
  assignRegistry,
  platformRegistry,
  platformRegistriesOf,
  type StoredPlatformRegistry,
  withdrawRegistry,
} from './platform.store.ts'
import {
  addRegistry,
  dropRegistry,
  refuseUsed,
  type RegistryEdit,
  type RegistryGiven,
  storeRegistry,
} from './registries.service.ts'
import { visible } from './registries.store.ts'

/* Registries of the platform: administrators keep them, and the teams that they are assigned to use them. */

const toRegistry = (registry: StoredPlatformRegistry): PlatformRegistry => ({
  ...visible(registry, null),
  teams: registry.teams,
})

async function find(ctx: Ctx, id: number): Promise<StoredPlatformRegistry> {
  return mustExist(await platformRegistry(ctx.db, id))
}

/** A registry that may be changed: not the simulated one, whose address each start sets for all teams. */
async function findChangeable(ctx: Ctx, id: number): Promise<StoredPlatformRegistry> {
  const registry = await find(ctx, id)
  if (registry.sandbox) throw new Fault('conflict', 'images-registry-simulated', { name: registry.name })
  return registry
}

export const listPlatformRegistries = async (ctx: Ctx): Promise<PlatformRegistry[]> =>
  (await platformRegistriesOf(ctx.db)).map(toRegistry)

export const createPlatformRegistry = async (ctx: Ctx, input: RegistryGiven): Promise<PlatformRegistry> =>
  toRegistry(await find(ctx, await addRegistry(ctx, null, input)))

export async function changePlatformRegistry(ctx: Ctx, id: number, input: RegistryEdit): Promise<PlatformRegistry> {
  await storeRegistry(ctx, await findChangeable(ctx, id), input)
  return toRegistry(await find(ctx, id))
}

export const removePlatformRegistry = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => dropRegistry(ctx, await findChangeable(ctx, id)))

export async function isAssigned(ctx: Ctx, id: number, teamId: number): Promise<boolean> {
  const registry = await find(ctx, id)
  return registry.sandbox || registry.teams.some((team) => team.id === teamId)
}

export const assign = (ctx: Ctx, id: number, teamId: number): Promise<PlatformRegistry> =>
  inTx(ctx, async (ctx) => {
    const before = await findChangeable(ctx, id)
    if (!(await assignRegistry(ctx.db, id, teamId))) throw new Fault('missing', 'resource-missing')
    const after = await find(ctx, id)
    note(ctx, { object: before.name, before: { teams: before.teams }, after: { teams: after.teams } })
    return toRegistry(after)
  })

/** Refused while a pipeline or service of the team uses the registry: its next build or pod would fail. */
export const withdraw = (ctx: Ctx, id: number, teamId: number): Promise<PlatformRegistry> =>
  inTx(ctx, async (ctx) => {
    const before = await findChangeable(ctx, id)
    if (!before.teams.some((team) => team.id === teamId)) throw new Fault('missing', 'resource-missing')
    await refuseUsed(ctx, before, teamId)
    await withdrawRegistry(ctx.db, id, teamId)
    const after = await find(ctx, id)
    note(ctx, { object: before.name, before: { teams: before.teams }, after: { teams: after.teams } })
    return toRegistry(after)
  })
