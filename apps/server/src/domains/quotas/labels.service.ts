import type { Ctx } from '../../kernel/context.ts'
import { driverNames } from '../clusters/public.ts'
import { zoneNames } from '../openstack/public.ts'

interface Label {
  name: string
  label: string
}

const labelled = (names: readonly string[]): Label[] => names.map((name) => ({ name, label: name }))

/** The networks of a cluster are its zones. */
export const networkLabels = async (ctx: Ctx, environment: string): Promise<Label[]> =>
  labelled(await zoneNames(ctx.db, environment))

/** What a claim names as its storage class; the default one comes first. */
export const storageLabels = async (ctx: Ctx, environment: string): Promise<Label[]> =>
  labelled(await driverNames(ctx, environment))
