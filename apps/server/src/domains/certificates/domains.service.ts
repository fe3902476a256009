import type { Domain } from '@gantry/contract/certificates/domains'
import type { List } from '@gantry/contract/paging'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { sayTo } from '../../kernel/phrase.ts'
import { mustFindCertificate } from './certificates.service.ts'
import {
  deleteDomain,
  findDomain,
  findDomainByName,
  giveDomain,
  insertDomain,
  listDomains,
  serialiseDomains,
  wayUnder,
} from './domains.store.ts'
import { isFor, spelled } from './spelling.ts'

function mustSpell(given: string): string {
  const name = spelled(given)
  if (name === undefined) throw new Fault('invalid', 'domains-format')
  return name
}

export async function readDomains(
  ctx: Ctx,
  filter: { keyword: string; certificateId?: number; teamId?: number },
  at: Page,
): Promise<List<Domain>> {
  const { items, total } = await listDomains(ctx.db, filter, at)
  return toList(items, total, at)
}

export async function readDomainsOf(ctx: Ctx, certificateId: number, keyword: string, at: Page): Promise<List<Domain>> {
  await mustFindCertificate(ctx, certificateId)
  return readDomains(ctx, { keyword, certificateId }, at)
}

/** Throws if a team cannot have a domain: it lacks the certificate, or other teams serve hosts under the domain. */
async function mustBeFreeFor(ctx: Ctx, domain: string, certificateId: number, teamId: number): Promise<void> {
  const { name, teams } = await mustFindCertificate(ctx, certificateId)
  if (!teams.some((team) => team.id === teamId)) throw new Fault('conflict', 'domains-not-allocated', { name })
  const way = await wayUnder(ctx.db, domain, { notOf: teamId })
  if (way)
    throw new Fault('conflict', 'domains-used-by-others', {
      domain,
      host: way.host,
      holder: `${way.team}: ${way.holder}`,
    })
}

const takenBy = ({ domain, certificateName, teamName }: Domain): Fault =>
  teamName === ''
    ? new Fault('conflict', 'domains-taken', { domain, certificate: certificateName })
    : new Fault('conflict', 'domains-of-team', { domain, certificate: certificateName, team: teamName })

export async function createDomain(
  ctx: Ctx,
  certificateId: number,
  { domain: given, teamId }: { domain: string; teamId: number | null },
): Promise<Domain> {
  note(ctx, { object: given })
  const domain = mustSpell(given)
  return inTx(ctx, async (ctx) => {
    await serialiseDomains(ctx.db, 'changes')
    const { name, names } = await mustFindCertificate(ctx, certificateId, { lock: true })
    note(ctx, { object: domain, after: { domain, certificateId, teamId } })
    if (!isFor(names, domain))
      throw new Fault('invalid', 'domains-not-covered', { domain, name, names: names.slice(0, 10).join(', ') })
    const known = await findDomainByName(ctx.db, domain)
    if (known) throw takenBy(known)
    if (teamId !== null) await mustBeFreeFor(ctx, domain, certificateId, teamId)
    const id = await insertDomain(ctx.db, domain, { certificateId, teamId }).catch(
      brokenConstraint('domain_name', new Fault('conflict', 'domains-taken', { domain, certificate: name })),
    )
    return mustExist(await findDomain(ctx.db, id))
  })
}

export async function give(ctx: Ctx, teamId: number, given: string): Promise<Domain> {
  note(ctx, { object: given })
  const name = mustSpell(given)
  return inTx(ctx, async (ctx) => {
    await serialiseDomains(ctx.db, 'changes')
    const domain = await findDomainByName(ctx.db, name)
    if (!domain) throw new Fault('conflict', 'domains-unknown', { domain: name })
    note(ctx, { object: name, before: { teamId: domain.teamId }, after: { teamId } })
    if (domain.teamId === teamId) return domain
    if (domain.teamId !== null) throw takenBy(domain)
    await mustFindCertificate(ctx, domain.certificateId, { lock: true })
    await mustBeFreeFor(ctx, name, domain.certificateId, teamId)
    await giveDomain(ctx.db, domain.id, teamId)
    return mustExist(await findDomain(ctx.db, domain.id))
  })
}

export const removeDomain = (ctx: Ctx, id: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    await serialiseDomains(ctx.db, 'changes')
    const before = mustExist(await findDomain(ctx.db, id))
    const { domain, teamId } = before
    note(ctx, { object: domain, before })
    const way = teamId === null ? undefined : await wayUnder(ctx.db, domain, { teamId })
    if (way) throw new Fault('conflict', 'domains-in-use', { domain, holder: `${way.team}: ${way.holder}` })
    await deleteDomain(ctx.db, id)
    return null
  })

/** The canonical form of a domain, and whether it can be added. */
export async function checkDomain(
  ctx: Ctx,
  given: string,
): Promise<{ domain: string; free: boolean; message: string }> {
  note(ctx, { object: given })
  const domain = mustSpell(given)
  const known = await findDomainByName(ctx.db, domain)
  return { domain, free: !known, message: known ? sayTo(ctx, takenBy(known)) : '' }
}
