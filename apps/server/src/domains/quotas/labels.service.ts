import type { Ctx } from '../../kernel/context.ts'
import { driverNames } from '../clusters/public.ts'
import { zoneNames } from '../openstack/public.ts'

interface Label {
  name: string
  label: string
}

const labelled = (names: readonly string[]): Label[] => names.map((name) => ({ name, label: name }))

/** Names of the zones of a cluster. */
export const networkLabels = async (ctx: Ctx, clusterId: string): Promise<Label[]> =>
  labelled(await zoneNames(ctx.db, clusterId))

/** Storage classes that a claim may name, the default first. */
export const storageLabels = async (ctx: Ctx, clusterId: string): Promise<Label[]> =>
  labelled(await driverNames(ctx, clusterId))
