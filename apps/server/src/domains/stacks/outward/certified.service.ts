import { entriesOf, type Outward } from '@gantry/contract/stacks/outward'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Ctx } from '../../../kernel/context.ts'
import { certificateOf, type CertifiedHost } from '../../certificates/public.ts'

/** Hosts that are served with certificates of the platform, each once. */
export function certifiedHosts(outward: Outward | undefined): CertifiedHost[] {
  const hosts = new Map<string, number>()
  for (const { host, tls } of entriesOf(outward))
    if (tls?.certificateId !== undefined) hosts.set(host, tls.certificateId)
  return [...hosts].map(([host, certificateId]) => ({ host, certificateId }))
}

/** A specification with the certificates and keys that it refers to; only for the cluster. */
export async function withCertificates(ctx: Ctx, teamId: number, spec: ServiceSpec): Promise<ServiceSpec> {
  const { outward } = spec
  const pairs = new Map<string, { certificate: string; key: string }>()
  for (const one of certifiedHosts(outward)) pairs.set(one.host, await certificateOf(ctx, teamId, one))
  if (pairs.size === 0 || !outward) return spec
  if (outward.type === 'lb')
    return {
      ...spec,
      outward: {
        ...outward,
        certificates: outward.certificates?.map((one) => ({ ...one, ...pairs.get(one.host) })) ?? [],
      },
    }
  if (outward.type === 'ingress')
    return {
      ...spec,
      outward: {
        ...outward,
        hosts: outward.hosts.map((one) => (one.tls ? { ...one, tls: { ...one.tls, ...pairs.get(one.host) } } : one)),
      },
    }
  return spec
}
