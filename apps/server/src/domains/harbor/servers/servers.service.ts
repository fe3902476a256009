import { createHmac } from 'node:crypto'
import { harborAdmin, harborPurpose } from '@gantry/contract/harbor/sandbox'
import type { Harbor, HarborInfo, HarborInput } from '@gantry/contract/harbor/servers'
import { isSupported } from '@gantry/contract/harbor/versions'
import { mask } from '@gantry/contract/validators'
import type { HarborAccess } from '../../../adapters/harbor/session.ts'
import { brokenConstraint } from '../../../db/constraint.ts'
import { note } from '../../../kernel/audit.ts'
import { isCertificates } from '../../../kernel/certificates.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { keepSecret, open } from '../../../kernel/secrets/secrets.ts'
import { wantAgain } from '../pulls/pulls.service.ts'
import { leftRobots, trustIn } from '../pulls/pulls.store.ts'
import {
  allHarbors,
  deleteHarbor,
  findHarbor,
  insertHarbor,
  putSandboxHarbor,
  setDefault,
  type StoredHarbor,
  updateHarbor,
} from './servers.store.ts'

/*
 * Harbor servers. Administrators join them to the platform, with an account that administers the Harbor. No team and no
 * cluster ever gets that account.
 */

const originOf = (url: string): string => new URL(url).origin

const visible = ({ password: _, ...harbor }: StoredHarbor): Harbor => ({ ...harbor, password: mask })

export const missing = () => new Fault('missing', 'resource-missing')
const nameTaken = (name: string) => new Fault('conflict', 'harbor-name-taken', { name })
const stale = (name: string) => new Fault('conflict', 'harbor-changed', { name })

export async function harborOf(ctx: Ctx, id: number): Promise<StoredHarbor> {
  return mustExist(await findHarbor(ctx.db, id))
}

async function changeable(ctx: Ctx, id: number): Promise<StoredHarbor> {
  const harbor = await harborOf(ctx, id)
  if (harbor.sandbox) throw new Fault('conflict', 'harbor-simulated', { name: harbor.name })
  return harbor
}

/** The password of the simulated Harbor is derived from the key that the sandbox gave to the server. */
function passwordOf(ctx: Ctx, { password, sandbox }: Pick<StoredHarbor, 'password' | 'sandbox'>): string {
  if (password !== null) return open(ctx, password)
  const key = sandbox ? ctx.config.sandboxRegistry?.key : undefined
  return key === undefined ? '' : createHmac('sha256', key).update(harborPurpose).digest('base64url')
}

export const accessOf = (
  ctx: Ctx,
  harbor: Pick<StoredHarbor, 'url' | 'username' | 'password' | 'ca' | 'sandbox'>,
): HarborAccess => ({
  url: harbor.url,
  username: harbor.username,
  password: passwordOf(ctx, harbor),
  ca: harbor.ca,
})

function mustBeAuthority({ ca }: Pick<HarborInput, 'ca'>): void {
  if (ca !== '' && !isCertificates(ca)) throw new Fault('invalid', 'registry-ca-invalid')
}

export const listHarbors = async (ctx: Ctx): Promise<Harbor[]> => (await allHarbors(ctx.db)).map(visible)

export const readHarbor = async (ctx: Ctx, id: number): Promise<Harbor> => visible(await harborOf(ctx, id))

/** Logs in before anything is saved: a wrong address, password or account stores nothing. */
export async function createHarbor(ctx: Ctx, { password, ...input }: HarborInput): Promise<Harbor> {
  note(ctx, { object: input.name, after: input })
  mustBeAuthority(input)
  const row = { ...input, url: originOf(input.url), password: keepSecret(ctx, password, null, false) }
  const { version } = await ctx.ports.harbor.verify(accessOf(ctx, { ...row, sandbox: false }), ctx.signal)
  return inTx(ctx, async (ctx) => {
    const id = await insertHarbor(ctx.db, { ...row, version }).catch(
      brokenConstraint('harbor_name', nameTaken(input.name)),
    )
    return readHarbor(ctx, id)
  })
}

/** If the Harbor moved, pull rights are created anew, because a robot exists on one server only. */
export async function changeHarbor(
  ctx: Ctx,
  id: number,
  { revision, password, ...input }: HarborInput & { revision?: number | undefined },
): Promise<Harbor> {
  const before = await changeable(ctx, id)
  note(ctx, { object: before.name, before: visible(before), after: input })
  if (revision !== undefined && revision !== before.revision) throw stale(before.name)
  mustBeAuthority(input)
  const url = originOf(input.url)
  const row = { ...input, url, password: keepSecret(ctx, password, before.password, originOf(before.url) === url) }
  const { version } = await ctx.ports.harbor.verify(accessOf(ctx, { ...row, sandbox: false }), ctx.signal)
  return inTx(ctx, async (ctx) => {
    const locked = mustExist(await findHarbor(ctx.db, id, { lock: true }))
    // the stored password was read with that revision
    if (locked.revision !== before.revision) throw stale(before.name)
    // before the row changes, because a round that holds a right refers to the row
    await wantAgain(ctx, id)
    await updateHarbor(ctx.db, id, { ...row, version }).catch(brokenConstraint('harbor_name', nameTaken(input.name)))
    await trustIn(ctx.db, id, input.ca)
    return readHarbor(ctx, id)
  })
}

/** The Harbor keeps its contents but for the platform's robots; if it cannot be reached, it keeps these too. */
export async function removeHarbor(ctx: Ctx, id: number): Promise<null> {
  const harbor = await changeable(ctx, id)
  note(ctx, { object: harbor.name, before: visible(harbor) })
  refuseUsed(harbor)
  for (const robot of await leftRobots(ctx.db, id))
    await ctx.ports.harbor
      .removeRobot(accessOf(ctx, harbor), robot)
      .catch((error: unknown) => ctx.log.warn({ err: error, robot }, 'a robot stays in a Harbor that is removed'))
  return inTx(ctx, async (ctx) => {
    const locked = mustExist(await findHarbor(ctx.db, id, { lock: true }))
    refuseUsed(locked)
    await deleteHarbor(ctx.db, id)
    return null
  })
}

function refuseUsed({ name, teams }: StoredHarbor): void {
  if (teams.length > 0)
    throw new Fault('conflict', 'harbor-in-use', { name, teams: teams.map((team) => team.name).join(', ') })
}

export const makeDefault = (ctx: Ctx, id: number): Promise<Harbor> =>
  inTx(ctx, async (ctx) => {
    const harbor = mustExist(await findHarbor(ctx.db, id, { lock: true }))
    note(ctx, { object: harbor.name })
    await setDefault(ctx.db, id)
    return readHarbor(ctx, id)
  })

/** Behind the form's button. A masked password stands for the stored one only if the host is the same. */
export async function verifyHarbor(
  ctx: Ctx,
  { id, url, username, password, ca }: Omit<HarborInput, 'name'> & { id?: number | undefined },
): Promise<{ version: string }> {
  note(ctx, { object: url })
  mustBeAuthority({ ca })
  const given = { url: originOf(url), username, password: password === mask ? '' : password, ca }
  if (id !== undefined) {
    const stored = await harborOf(ctx, id)
    if (password === mask && originOf(stored.url) === given.url) given.password = passwordOf(ctx, stored)
  }
  return ctx.ports.harbor.verify(given, ctx.signal)
}

export async function infoOf(ctx: Ctx, id: number): Promise<HarborInfo> {
  const { components, ...info } = await ctx.ports.harbor.info(accessOf(ctx, await harborOf(ctx, id)), ctx.signal)
  return {
    ...info,
    components,
    healthy: components.every(({ healthy }) => healthy),
    supported: isSupported(info.version),
  }
}

/** Offers the simulated Harbor as long as the sandbox runs. */
export async function offerSandbox(ctx: Ctx): Promise<void> {
  const { sandboxRegistry } = ctx.config
  if (sandboxRegistry !== undefined)
    await putSandboxHarbor(ctx.db, { url: originOf(sandboxRegistry.url), username: harborAdmin })
}
