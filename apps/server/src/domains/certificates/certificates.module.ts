import { certificates } from '@gantry/contract/certificates/certificates'
import { domains } from '@gantry/contract/certificates/domains'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import { search as certificateSearch } from './certificates.search.ts'
import {
  allocate,
  createCertificate,
  mustFindCertificate,
  readCertificates,
  readCertificatesOfTeam,
  removeCertificate,
  renewCertificate,
  withdraw,
} from './certificates.service.ts'
import { search as domainSearch } from './domains.search.ts'
import { checkDomain, createDomain, give, readDomains, readDomainsOf, removeDomain } from './domains.service.ts'

export const module = defineModule({
  routes(route) {
    route(certificates.list, (ctx, { query }) => readCertificates(ctx, query, page(query)))
    route(certificates.create, (ctx, { body }) => createCertificate(ctx, body))
    route(certificates.get, (ctx, { params }) => mustFindCertificate(ctx, params.certificateId))
    route(certificates.renew, (ctx, { params, body }) => renewCertificate(ctx, params.certificateId, body))
    route(certificates.remove, (ctx, { params }) => removeCertificate(ctx, params.certificateId))
    route(certificates.allocate, (ctx, { params }) => allocate(ctx, params.certificateId, params.teamId))
    route(certificates.withdraw, (ctx, { params }) => withdraw(ctx, params.certificateId, params.teamId))
    route(certificates.ofTeam, (ctx, { params, query }) => readCertificatesOfTeam(ctx, params.teamId, query))
    route(domains.ofCertificate, (ctx, { params, query }) =>
      readDomainsOf(ctx, params.certificateId, query.keyword ?? '', page(query)),
    )
    route(domains.create, (ctx, { params, body }) => createDomain(ctx, params.certificateId, body))
    route(domains.ofTeam, (ctx, { params, query }) =>
      readDomains(ctx, { keyword: query.keyword ?? '', teamId: params.teamId }, page(query)),
    )
    route(domains.give, (ctx, { params, body }) => give(ctx, params.teamId, body.domain))
    route(domains.remove, (ctx, { params }) => removeDomain(ctx, params.id))
    route(domains.check, (ctx, { body }) => checkDomain(ctx, body.domain))
  },
  search: [certificateSearch, domainSearch],
})
