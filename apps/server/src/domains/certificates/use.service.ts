import { brokenConstraint } from '../../db/constraint.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { open } from '../../kernel/secrets/secrets.ts'
import { allocatedPair, noteUses } from './certificates.store.ts'
import { domainsAround, serialiseDomains } from './domains.store.ts'
import { isFor, wildcardOf } from './spelling.ts'

/**
 * Throws 409 if a host is under a domain of another team. The closest domain decides: the host's own, then the wildcard
 * above it. A wildcard host conflicts with every domain under it. Runs in the transaction that claims the hosts.
 */
export async function mustOwnHosts(ctx: Ctx, teamId: number, given: readonly string[]): Promise<void> {
  const hosts = [...new Set(given)].filter((host) => host !== '')
  if (hosts.length === 0) return
  await serialiseDomains(ctx.db, 'shared')
  const around = await domainsAround(ctx.db, hosts, hosts.map(wildcardOf))
  const owners = new Map(around.map((one) => [one.name, one.teamId]))
  for (const host of hosts) {
    const owner = owners.get(host) ?? (host.startsWith('*.') ? undefined : owners.get(wildcardOf(host)))
    const others = around.some((one) => one.teamId !== teamId && wildcardOf(one.name) === host)
    if (owner === undefined ? others : owner !== teamId) throw new Fault('conflict', 'domains-elsewhere', { host })
  }
}

/** A host, and the platform's certificate that it is served with. */
export interface CertifiedHost {
  host: string
  certificateId: number
}

async function mustHavePair(
  ctx: Ctx,
  teamId: number,
  { host, certificateId }: CertifiedHost,
  how: { lock?: boolean } = {},
) {
  const pair = await allocatedPair(ctx.db, certificateId, teamId, how)
  if (!pair) throw new Fault('conflict', 'certificates-not-allocated', { host })
  return pair
}

/**
 * Throws if a host has a certificate that the team may not use, or that does not cover it. With `lock` none of them is
 * renewed before the transaction ends.
 */
export async function mustCertify(
  ctx: Ctx,
  teamId: number,
  hosts: readonly CertifiedHost[],
  how: { lock?: boolean } = {},
): Promise<void> {
  for (const one of hosts) {
    const { name, names } = await mustHavePair(ctx, teamId, one, how)
    if (!isFor(names, one.host))
      throw new Fault('invalid', 'certificates-host-other', {
        host: one.host,
        name,
        names: names.slice(0, 10).join(', '),
      })
  }
}

/** Records the certificates of a service's hosts, which cannot be deleted then; in the transaction of its change. */
export async function useCertificates(
  ctx: Ctx,
  { serviceId, teamId }: { serviceId: number; teamId: number },
  hosts: readonly CertifiedHost[],
): Promise<void> {
  await mustCertify(ctx, teamId, hosts, { lock: true })
  const [first] = hosts
  await noteUses(ctx.db, serviceId, teamId, hosts).catch(
    brokenConstraint(
      'service_certificate_allocated',
      new Fault('conflict', 'certificates-not-allocated', { host: first?.host ?? '' }),
    ),
  )
}

/** The certificate of a host with its decrypted key, to be sent only to the cluster. */
export async function certificateOf(
  ctx: Ctx,
  teamId: number,
  one: CertifiedHost,
): Promise<{ certificate: string; key: string }> {
  const { chain, privateKey } = await mustHavePair(ctx, teamId, one)
  return { certificate: chain, key: open(ctx, privateKey) }
}
