import type { OpenStack, OpenStackChoices, OpenStackInput } from '@gantry/contract/openstack/openstack'
import type { List } from '@gantry/contract/paging'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { brokenConstraint } from '../../db/constraint.ts'
import { writeSystemAuditRow, note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import type { Page } from '../../kernel/paging.ts'
import { seal, maskSealed } from '../../kernel/secrets/secrets.ts'
import { mustUseAlone } from '../clusters/public.ts'
import { accountOf, atField } from './account.ts'
import {
  beginRemoval,
  deleteOpenStack,
  findOpenStack,
  insertOpenStack,
  listOpenStacks,
  type OpenStackRow,
} from './openstack.store.ts'
import { takeOut } from './zone-cluster.service.ts'
import { deleteLeft, zonesLeaving } from './zones.store.ts'

const toOpenStack = (row: OpenStackRow): OpenStack => ({
  uuid: row.uuid,
  name: row.name,
  envUuid: row.envUuid,
  keystone: {
    authUrl: row.authUrl,
    username: row.username,
    password: maskSealed(row.password),
    projectName: row.projectName,
    projectDomainName: row.projectDomainName,
    userDomainName: row.userDomainName,
  },
  zoneNum: row.zoneNum,
  state: row.state,
  createdAt: row.createdAt,
})

/** The connection as the audit log shows it. */
const auditDetail = (row: OpenStackRow) => ({
  name: row.name,
  keystone: toOpenStack(row).keystone,
  zoneNum: row.zoneNum,
})

async function existing(ctx: Ctx, clusterId: string, uuid: string): Promise<OpenStackRow> {
  return mustExist(await findOpenStack(ctx.db, clusterId, uuid))
}

export async function allOpenStacks(ctx: Ctx, clusterId: string, at: Page): Promise<List<OpenStack>> {
  const list = await listOpenStacks(ctx.db, clusterId, at)
  return { ...list, items: list.items.map(toOpenStack) }
}

export const readOpenStack = async (ctx: Ctx, clusterId: string, uuid: string): Promise<OpenStack> =>
  toOpenStack(await existing(ctx, clusterId, uuid))

export async function countZones(ctx: Ctx, clusterId: string, uuid: string): Promise<{ zoneNum: number }> {
  const { zoneNum } = await existing(ctx, clusterId, uuid)
  return { zoneNum }
}

const fields: Partial<Record<PhraseKey, string>> = {
  'openstack-password-refused': 'keystone.password',
  'openstack-project-refused': 'keystone.projectName',
  'openstack-project-none': 'keystone.projectName',
  'openstack-domain-refused': 'keystone.projectDomainName',
}

/** Shows a refusal by OpenStack at its field, and any other failure at the address. */
const explained = ({ lang }: Ctx, error: unknown): unknown =>
  error instanceof Fault
    ? atField(lang, fields[error.key] ?? 'keystone.authUrl', error.kind, error.key, error.vars)
    : error

/** Stored only after a login to Keystone. */
export async function createOpenStack(
  ctx: Ctx,
  clusterId: string,
  { name, keystone }: OpenStackInput,
): Promise<OpenStack> {
  note(ctx, { object: name, after: { name, keystone } })
  await mustUseAlone(ctx, clusterId)
  await ctx.ports.openstack.verify(keystone, ctx.signal).catch((error: unknown) => {
    throw explained(ctx, error)
  })
  const taken = atField(ctx.lang, 'name', 'conflict', 'openstack-name-taken', { name })
  const { uuid } = await insertOpenStack(ctx.db, {
    environment: clusterId,
    name,
    auth_url: keystone.authUrl,
    username: keystone.username,
    password: seal(ctx, keystone.password),
    project_name: keystone.projectName,
    project_domain_name: keystone.projectDomainName,
    user_domain_name: keystone.userDomainName,
  })
    .catch(brokenConstraint('openstack_name', taken))
    // the cluster was deleted meanwhile
    .catch(brokenConstraint('openstack_environment_fkey', new Fault('missing', 'resource-missing')))
  return readOpenStack(ctx, clusterId, uuid)
}

/** Only for users who may create a zone: the account may see more of OpenStack than a team that shares the cluster. */
export async function choicesOf(
  ctx: Ctx,
  clusterId: string,
  uuid: string,
  project: string | undefined,
): Promise<OpenStackChoices> {
  const row = await existing(ctx, clusterId, uuid)
  await mustUseAlone(ctx, clusterId)
  return ctx.ports.openstack.choices(accountOf(ctx, row), project, ctx.signal)
}

/** Zones that are removed concurrently. */
const atOnce = 8

async function takeZonesOut(ctx: Ctx, clusterId: string, uuid: string): Promise<void> {
  const leaving = await zonesLeaving(ctx.db, uuid)
  for (let at = 0; at < leaving.length; at += atOnce) {
    await Promise.all(
      leaving.slice(at, at + atOnce).map(async (zone) => {
        await takeOut(ctx, clusterId, zone)
        await deleteLeft(ctx.db, zone.uuid)
      }),
    )
  }
}

/**
 * Removes its zones from the cluster one by one, and then the connection. If the cluster fails in between, or a zone is
 * being created, the rest stays in the state `removing`: deleting it again continues, as does the job.
 */
export async function removeOpenStack(ctx: Ctx, clusterId: string, uuid: string): Promise<{ gone: boolean }> {
  const row = await existing(ctx, clusterId, uuid)
  note(ctx, { object: row.name, before: auditDetail(row) })
  await mustUseAlone(ctx, clusterId)
  await inTx(ctx, (ctx) => beginRemoval(ctx.db, uuid))
  await takeZonesOut(ctx, clusterId, uuid)
  await deleteOpenStack(ctx.db, uuid)
  return { gone: (await findOpenStack(ctx.db, clusterId, uuid)) === undefined }
}

/** Continues a removal that no call waits for any more. */
export async function finishOpenStack(ctx: Ctx, clusterId: string, uuid: string): Promise<void> {
  const row = await findOpenStack(ctx.db, clusterId, uuid)
  if (row?.state !== 'removing') return
  await takeZonesOut(ctx, clusterId, uuid)
  await inTx(ctx, async (ctx) => {
    if (!(await deleteOpenStack(ctx.db, uuid))) return
    await writeSystemAuditRow(ctx, {
      action: 'openstack.delete',
      by: 'openstack-settle',
      object: row.name,
      before: auditDetail(row),
    })
  })
}
