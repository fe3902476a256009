import type { Zone, ZoneFields, ZoneInput } from '@gantry/contract/openstack/zones'
import type { List } from '@gantry/contract/paging'
import { brokenConstraint } from '../../db/constraint.ts'
import { writeSystemAuditRow, note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import type { Page } from '../../kernel/paging.ts'
import { mustUseAlone } from '../clusters/public.ts'
import { accountOf, atField } from './account.ts'
import { findOpenStack, holdReady, type OpenStackRow } from './openstack.store.ts'
import { fieldsOf, mustFit, wantedBy } from './zone-check.ts'
import { takeOut, writeOut } from './zone-cluster.service.ts'
import { kuryrNamespace, objectName } from './zone-objects.ts'
import {
  deleteLeft,
  deleteZone,
  findZone,
  insertZone,
  listZones,
  markReady,
  markRemoving,
  nameIsTaken,
  takeOver,
  type ZoneRow,
} from './zones.store.ts'

const toZone = ({ fields, envName, ...row }: ZoneRow): Zone => ({
  ...row,
  ...fields,
  k8s: { ...fields.k8s, name: envName },
  written: { namespace: kuryrNamespace, configMap: objectName(row.name), secret: objectName(row.name) },
})

async function existing(ctx: Ctx, clusterId: string, uuid: string): Promise<ZoneRow> {
  return mustExist(await findZone(ctx.db, clusterId, uuid))
}

export async function allZones(ctx: Ctx, clusterId: string, at: Page): Promise<List<Zone>> {
  const list = await listZones(ctx.db, clusterId, at)
  return { ...list, items: list.items.map(toZone) }
}

export const readZone = async (ctx: Ctx, clusterId: string, uuid: string): Promise<Zone> =>
  toZone(await existing(ctx, clusterId, uuid))

export const nameIsFree = async (ctx: Ctx, clusterId: string, name: string): Promise<{ free: boolean }> => ({
  free: !(await nameIsTaken(ctx.db, clusterId, name)),
})

async function mustBeReady(ctx: Ctx, clusterId: string, uuid: string): Promise<OpenStackRow> {
  const openstack = await findOpenStack(ctx.db, clusterId, uuid)
  if (!openstack) throw atField(ctx.lang, 'openStackUuid', 'invalid', 'resource-missing')
  if (openstack.state !== 'ready')
    throw atField(ctx.lang, 'openStackUuid', 'conflict', 'openstack-removing', { name: openstack.name })
  return openstack
}

/** Reserves the name by the constraint before any outside call: of twenty concurrent calls nineteen end here. */
const reserve = (ctx: Ctx, clusterId: string, { name, type, openStackUuid }: ZoneInput, fields: ZoneFields) =>
  inTx(ctx, async (ctx) => {
    if (!(await holdReady(ctx.db, clusterId, openStackUuid))) throw new Fault('conflict', 'zones-gone')
    return insertZone(ctx.db, { environment: clusterId, openstack: openStackUuid, name, type, fields }).catch(
      brokenConstraint('zone_name', atField(ctx.lang, 'name', 'conflict', 'valid-zone-name-repeat')),
    )
  })

/** Removes a zone whose creation failed; its row last. If the cluster fails, the job continues. */
async function giveUp(ctx: Ctx, clusterId: string, zone: { uuid: string; name: string }, written: boolean) {
  if (!written) return void (await deleteZone(ctx.db, zone.uuid))
  await markRemoving(ctx.db, zone.uuid)
  try {
    await takeOut(ctx, clusterId, zone)
    await deleteZone(ctx.db, zone.uuid)
  } catch (error) {
    ctx.log.warn({ err: error, zone: zone.uuid }, 'a zone that failed is still in the cluster, it is removed later')
  }
}

/**
 * Inserts the row first and then writes to the cluster: the cluster contains nothing without a row, and no transaction
 * is open during calls to the cluster or OpenStack. Until everything is done the row says `writing`.
 */
export async function createZone(ctx: Ctx, clusterId: string, input: ZoneInput): Promise<Zone> {
  const fields = fieldsOf(input)
  const openstack = await mustBeReady(ctx, clusterId, input.openStackUuid)
  const { name, type } = input
  note(ctx, { object: name, after: { name, type, openStackName: openstack.name, ...fields } })
  await mustUseAlone(ctx, clusterId)
  const zone = { ...(await reserve(ctx, clusterId, input, fields)), name, fields }
  let written = false
  try {
    const account = accountOf(ctx, openstack)
    const names = mustFit(ctx.lang, fields, await ctx.ports.openstack.find(account, wantedBy(fields), ctx.signal))
    await writeOut(ctx, clusterId, zone, account, () => (written = true))
    if (!(await markReady(ctx.db, zone.uuid, names))) throw new Fault('conflict', 'zones-gone')
  } catch (error) {
    await giveUp(ctx, clusterId, zone, written)
    throw error
  }
  return readZone(ctx, clusterId, zone.uuid)
}

/**
 * Removes a zone from the cluster, then from the database. If the cluster fails, the call can be repeated, and the job
 * continues too. A zone in creation is removed by the call that creates it.
 */
export async function removeZone(ctx: Ctx, clusterId: string, uuid: string): Promise<{ gone: boolean }> {
  const zone = await existing(ctx, clusterId, uuid)
  note(ctx, { object: zone.name, before: toZone(zone) })
  await mustUseAlone(ctx, clusterId)
  await markRemoving(ctx.db, uuid)
  await takeOut(ctx, clusterId, zone)
  await deleteLeft(ctx.db, uuid)
  return { gone: (await findZone(ctx.db, clusterId, uuid)) === undefined }
}

/** Continues a removal that no call waits for any more. */
export async function finishZone(ctx: Ctx, clusterId: string, uuid: string): Promise<void> {
  const zone = await findZone(ctx.db, clusterId, uuid)
  if (!zone || !(await takeOver(ctx.db, uuid))) return
  await takeOut(ctx, clusterId, zone)
  await inTx(ctx, async (ctx) => {
    if (!(await deleteLeft(ctx.db, uuid))) return
    await writeSystemAuditRow(ctx, {
      action: 'zone.delete',
      by: 'openstack-settle',
      object: zone.name,
      before: toZone(zone),
    })
  })
}
