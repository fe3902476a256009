import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { certificatesTopic } from './topics.ts'

/**
 * As typed: upper case, a trailing dot and letters of any script are accepted; stored in lower case, without the dot,
 * as punycode. `*.example.com` means all hosts directly below a name.
 */
const domain = z.string().trim().min(1, 'domains-required').max(253, 'domains-format')

/** A domain of a certificate. Within the installation it belongs to at most one team. */
export const Domain = z.object({
  id: z.number().int(),
  /** In lower case, as punycode. */
  domain: z.string(),
  certificateId: z.number().int(),
  certificateName: z.string(),
  /** Null: it belongs to no team yet. */
  teamId: z.number().int().nullable(),
  teamName: z.string(),
  /** The number of ways in of the team's services that use it as a host. */
  ways: z.number().int(),
  createdAt: z.string(),
})
export type Domain = z.infer<typeof Domain>

const path = '/resource-manager/api/domains'

export const domains = {
  ofCertificate: endpoint({
    method: 'GET',
    path: `${path}/certificates/:certificateId`,
    access: 'admin',
    summary: 'Domains under a certificate, with the teams that they belong to',
    params: z.strictObject({ certificateId: id }),
    query: listQuery({ pageSize: 10 }),
    data: listOf(Domain),
    topics: [certificatesTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: `${path}/certificates/:certificateId`,
    access: 'admin',
    audit: 'domain.create',
    summary: 'Add a domain that the certificate is for; with a team, it belongs to the team at once',
    params: z.strictObject({ certificateId: id }),
    body: z.strictObject({ domain, teamId: id.nullable().default(null) }),
    data: Domain,
    topics: [certificatesTopic],
  }),
  ofTeam: endpoint({
    method: 'GET',
    path: `${path}/tenants/:teamId`,
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary: 'Domains of a team',
    params: z.strictObject({ teamId: id }),
    query: listQuery({ pageSize: 10 }),
    data: listOf(Domain),
    topics: [certificatesTopic],
  }),
  give: endpoint({
    method: 'PUT',
    path: `${path}/tenants/:teamId`,
    access: 'admin',
    audit: 'domain.give',
    summary: 'Give a domain that belongs to nobody to a team',
    params: z.strictObject({ teamId: id }),
    body: z.strictObject({ domain }),
    data: Domain,
    topics: [certificatesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    access: 'admin',
    audit: 'domain.delete',
    summary: 'Delete a domain that no way in has for a host',
    params: z.strictObject({ id }),
    data: z.null(),
    topics: [certificatesTopic],
  }),
  /** Called while a user types. */
  check: endpoint({
    method: 'POST',
    path: '/ingress/v1/api/domain/check',
    access: 'admin',
    audit: 'domain.check',
    summary: 'How a domain is spelled, and whether it can be added',
    body: z.strictObject({ domain }),
    data: z.object({
      /** The domain as it would be stored. */
      domain: z.string(),
      free: z.boolean(),
      /** Why it cannot be used, in the caller's language. */
      message: z.string(),
    }),
    topics: [],
  }),
}
