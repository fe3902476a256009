import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { secret } from '../secret.ts'
import { displayName } from '../validators.ts'
import { certificatesTopic } from './topics.ts'

/** Maximum length of a certificate with its chain, and of its private key, in characters. */
export const longestPem = { chain: 64_000, key: 16_000 }

const pair = {
  /** PEM: the certificate, followed by its chain without the root. */
  certificate: z.string().trim().min(1, 'certificate-required').max(longestPem.chain, 'certificates-too-long'),
  /** PEM. It is stored encrypted, and no answer contains it. */
  privateKey: secret(
    z.string().trim().min(1, 'certificate-key-required').max(longestPem.key, 'certificates-key-too-long'),
  ),
}

export const CertificateInput = z.strictObject({ name: displayName(60), ...pair })

export const CertificateState = z.enum(['valid', 'expiring', 'expired'])
export type CertificateState = z.infer<typeof CertificateState>

/** A certificate counts as expiring with this number of days left. */
export const soonDays = 30

/** The data of a certificate and its users, without its key or its text. */
export const Certificate = z.object({
  id: z.number().int(),
  name: z.string(),
  subject: z.string(),
  issuer: z.string(),
  /** The host names that it covers, including `*.example.com`. */
  names: z.array(z.string()),
  /** SHA-256, as hexadecimal pairs. */
  fingerprint: z.string(),
  from: z.string(),
  until: z.string(),
  /** Whole days; negative once it has expired. */
  daysLeft: z.number().int(),
  /** `expiring`: at most `soonDays` left. */
  state: CertificateState,
  teams: z.array(z.object({ id: z.number().int(), name: z.string() })),
  domains: z.number().int(),
  /** The number of services whose ways in use it. */
  services: z.number().int(),
  revision: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Certificate = z.infer<typeof Certificate>

/** What a team sees of a certificate that is allocated to it. */
export const TeamCertificate = Certificate.pick({
  id: true,
  name: true,
  names: true,
  until: true,
  daysLeft: true,
  state: true,
})

const path = '/resource-manager/api/certificates'
const one = z.strictObject({ certificateId: id })
const allocation = z.strictObject({ certificateId: id, teamId: id })

export const certificates = {
  list: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    summary: 'Certificates, each with its teams and how long it is valid',
    query: listQuery({ pageSize: 10 }).extend({ state: z.enum(['all', ...CertificateState.options]).optional() }),
    data: listOf(Certificate),
    topics: [certificatesTopic],
  }),
  create: endpoint({
    method: 'POST',
    path,
    access: 'admin',
    audit: 'certificate.create',
    summary: 'Add a certificate with its private key, which must belong to it',
    body: CertificateInput,
    data: Certificate,
    topics: [certificatesTopic],
  }),
  /** Not in the specification, like `renew`, `withdraw` and `ofTeam`. */
  get: endpoint({
    method: 'GET',
    path: `${path}/:certificateId`,
    access: 'admin',
    summary: 'One certificate',
    params: one,
    data: Certificate,
    topics: [certificatesTopic],
  }),
  renew: endpoint({
    method: 'PUT',
    path: `${path}/:certificateId`,
    access: 'admin',
    audit: 'certificate.renew',
    summary: 'Replace a certificate and its key; it must be for the names that are in use',
    params: one,
    body: CertificateInput.extend({ revision: z.number().int().optional() }),
    data: Certificate,
    topics: [certificatesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:certificateId`,
    access: 'admin',
    audit: 'certificate.delete',
    summary: 'Delete a certificate with its domains, unless a service uses one of them',
    params: one,
    data: z.null(),
    topics: [certificatesTopic],
  }),
  allocate: endpoint({
    method: 'PUT',
    path: `${path}/:certificateId/allocation/tenants/:teamId`,
    access: 'admin',
    audit: 'certificate.allocate',
    summary: 'Let a team use a certificate',
    params: allocation,
    data: Certificate,
    topics: [certificatesTopic],
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: `${path}/:certificateId/allocation/tenants/:teamId`,
    access: 'admin',
    audit: 'certificate.withdraw',
    summary: 'Take a certificate from a team that has no domain under it and no service that uses it',
    params: allocation,
    data: Certificate,
    topics: [certificatesTopic],
  }),
  ofTeam: endpoint({
    method: 'GET',
    path: `${path}/tenants/:teamId`,
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary: 'Certificates that a team may use',
    params: z.strictObject({ teamId: id }),
    query: listQuery({ pageSize: 50 }),
    data: listOf(TeamCertificate),
    topics: [certificatesTopic],
  }),
}
