import type { Certificate, CertificateInput } from '@gantry/contract/certificates/certificates'
import type { List } from '@gantry/contract/paging'
import type { z } from 'zod'
import { brokenConstraint } from '../../db/constraint.ts'
import { sorting } from '../../db/list.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { toList, type Page, page } from '../../kernel/paging.ts'
import { seal } from '../../kernel/secrets/secrets.ts'
import { applyAgain } from '../stacks/public.ts'
import {
  allocateCertificate,
  deleteCertificate,
  findCertificate,
  insertCertificate,
  listCertificates,
  updateCertificate,
  type CertificateUse,
  usesOf,
  withdrawCertificate,
} from './certificates.store.ts'
import { listDomains, serialiseDomains, wayUnder } from './domains.store.ts'
import { type Pair, readPair } from './pair.ts'
import { isFor } from './spelling.ts'

type Input = z.infer<typeof CertificateInput>

/** The certificate, optionally locked; 404 if there is none. */
export async function mustFindCertificate(ctx: Ctx, id: number, how?: { lock: boolean }): Promise<Certificate> {
  return mustExist(await findCertificate(ctx.db, id, how))
}

export async function readCertificates(
  ctx: Ctx,
  query: { keyword?: string | undefined; sort?: string | undefined; state?: Certificate['state'] | 'all' | undefined },
  at: Page,
): Promise<List<Certificate>> {
  const { state = 'all', keyword = '', sort } = query
  const filter = { keyword, ...(state === 'all' ? {} : { state }) }
  const { items, total } = await listCertificates(ctx.db, filter, sorting(sort, ['name', 'until']), at)
  return toList(items, total, at)
}

export async function readCertificatesOfTeam(
  ctx: Ctx,
  teamId: number,
  query: { keyword?: string | undefined; sort?: string | undefined } & Parameters<typeof page>[0],
): Promise<List<Certificate>> {
  const at = page(query)
  const filter = { keyword: query.keyword ?? '', teamId }
  const { items, total } = await listCertificates(ctx.db, filter, sorting(query.sort, ['name', 'until']), at)
  return toList(items, total, at)
}

const sealed = (ctx: Ctx, pair: Pair): Pair => ({ ...pair, privateKey: seal(ctx, pair.privateKey) })

const auditDetail = (name: string, { facts }: Pair) => ({ name, ...facts })

const nameTaken = (name: string) =>
  brokenConstraint('certificate_name', new Fault('conflict', 'certificates-name-taken', { name }))

export async function createCertificate(ctx: Ctx, { name, ...given }: Input): Promise<Certificate> {
  note(ctx, { object: name })
  const pair = readPair(given, new Date())
  note(ctx, { after: auditDetail(name, pair) })
  return inTx(ctx, async (ctx) => {
    const id = await insertCertificate(ctx.db, name, sealed(ctx, pair)).catch(nameTaken(name))
    return mustFindCertificate(ctx, id)
  })
}

/** Throws if a host or domain in use would lose its certificate; returns the uses. */
async function mustCover(ctx: Ctx, { id, name }: Certificate, { facts }: Pair): Promise<CertificateUse[]> {
  const at = page({ pageSize: -1 })
  const { items } = await listDomains(ctx.db, { keyword: '', certificateId: id }, at)
  const domain = items.find((one) => !isFor(facts.names, one.domain))
  if (domain) throw new Fault('conflict', 'certificates-domain-lost', { name, domain: domain.domain })
  const uses = await usesOf(ctx.db, id)
  const use = uses.find(({ host }) => !isFor(facts.names, host))
  if (use)
    throw new Fault('conflict', 'certificates-host-lost', {
      name,
      host: use.host,
      holder: `${use.team}: ${use.holder}`,
    })
  return uses
}

export async function renewCertificate(
  ctx: Ctx,
  id: number,
  { name, revision, ...given }: Input & { revision?: number | undefined },
): Promise<Certificate> {
  const pair = readPair(given, new Date())
  return inTx(ctx, async (ctx) => {
    // services are locked before their certificate, in the same order as when a service begins to use it
    const known = [...new Set((await usesOf(ctx.db, id)).map(({ serviceId }) => serviceId))]
    await applyAgain(ctx, known)
    const before = await mustFindCertificate(ctx, id, { lock: true })
    note(ctx, { object: before.name, before, after: auditDetail(name, pair) })
    if (revision !== undefined && revision !== before.revision)
      throw new Fault('conflict', 'certificates-changed', { name: before.name })
    const uses = await mustCover(ctx, before, pair)
    if (uses.some(({ serviceId }) => !known.includes(serviceId)))
      throw new Fault('conflict', 'certificates-used-meanwhile', { name: before.name })
    await updateCertificate(ctx.db, id, name, sealed(ctx, pair)).catch(nameTaken(name))
    return mustFindCertificate(ctx, id)
  })
}

/** Throws if a service uses the certificate. A use that begins at this very moment is refused by a constraint. */
async function mustBeUnused(ctx: Ctx, { id, name }: Certificate, teamId?: number): Promise<void> {
  const [use] = await usesOf(ctx.db, id, teamId)
  if (use) throw new Fault('conflict', 'certificates-in-use', { name, holder: `${use.team}: ${use.holder}` })
}

const usedMeanwhile = (name: string) =>
  brokenConstraint('service_certificate_allocated', new Fault('conflict', 'certificates-used-meanwhile', { name }))

export const removeCertificate = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    await serialiseDomains(ctx.db, 'changes')
    const before = await mustFindCertificate(ctx, id, { lock: true })
    note(ctx, { object: before.name, before })
    await mustBeUnused(ctx, before)
    const { items } = await listDomains(ctx.db, { keyword: '', certificateId: id }, page({ pageSize: -1 }))
    for (const { domain, teamId } of items) {
      const way = teamId === null ? undefined : await wayUnder(ctx.db, domain, { teamId })
      if (way) throw new Fault('conflict', 'domains-in-use', { domain, holder: `${way.team}: ${way.holder}` })
    }
    await deleteCertificate(ctx.db, id).catch(usedMeanwhile(before.name))
    return null
  })

export const allocate = (ctx: Ctx, id: number, teamId: number): Promise<Certificate> =>
  inTx(ctx, async (ctx) => {
    const before = await mustFindCertificate(ctx, id, { lock: true })
    if (!(await allocateCertificate(ctx.db, id, teamId))) throw new Fault('missing', 'resource-missing')
    const after = await mustFindCertificate(ctx, id)
    note(ctx, { object: before.name, before: { teams: before.teams }, after: { teams: after.teams } })
    return after
  })

export const withdraw = (ctx: Ctx, id: number, teamId: number): Promise<Certificate> =>
  inTx(ctx, async (ctx) => {
    const before = await mustFindCertificate(ctx, id, { lock: true })
    const team = mustExist(before.teams.find((one) => one.id === teamId))
    await mustBeUnused(ctx, before, teamId)
    const { items } = await listDomains(ctx.db, { keyword: '', certificateId: id, teamId }, page({ pageSize: 1 }))
    const [domain] = items
    if (domain) throw new Fault('conflict', 'certificates-team-has-domain', { domain: domain.domain, team: team.name })
    await withdrawCertificate(ctx.db, id, teamId).catch(usedMeanwhile(before.name))
    const after = await mustFindCertificate(ctx, id)
    note(ctx, { object: before.name, before: { teams: before.teams }, after: { teams: after.teams } })
    return after
  })
