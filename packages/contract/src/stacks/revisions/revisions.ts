import { z } from 'zod'
import { AuditRow } from '../../audit/audit.ts'
import { endpoint } from '../../endpoint.ts'
import { id, uuid } from '../../ids.ts'
import { listOf, listQuery } from '../../paging.ts'
import { basis, ServiceDetail } from '../services.ts'
import { ServiceSpec } from '../spec.ts'
import { serviceTopic, stacksTopic } from '../topics.ts'

const one = z.strictObject({ teamId: id, envId: uuid, id })
const ofRevision = one.extend({
  revision: z.coerce.number('revision-invalid').int('revision-invalid').min(1, 'revision-invalid'),
})
const path = '/orchestration/api/:teamId/env/:envId/service/:id' as const

/** Requests to the service. Their origin and other details are in the audit log, for users who may read it. */
export const ServiceAudit = AuditRow.pick({
  id: true,
  username: true,
  apiValue: true,
  action: true,
  result: true,
  reason: true,
  startTime: true,
})
export type ServiceAudit = z.infer<typeof ServiceAudit>

/** The past revisions of a service, and who did what with it. */
export const revisions = {
  get: endpoint({
    method: 'GET',
    path: `${path}/revisions/:revision`,
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary: 'The specification of one revision of a service, its secrets masked',
    params: ofRevision,
    data: ServiceSpec,
  }),
  returnTo: endpoint({
    method: 'POST',
    path: `${path}/revisions/:revision`,
    access: { team: 'teamId', permission: 'stack_service_edit' },
    audit: 'service.return',
    summary:
      'Upgrade a service to all that it was at a revision: its specification, its secrets, and the digests of its images',
    params: ofRevision,
    /** The present revision, on which the decision is based. */
    query: z.strictObject(basis),
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  audit: endpoint({
    method: 'GET',
    path: `${path}/audit`,
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary: 'Who asked for what of a service, newest first; also what was refused',
    params: one,
    query: listQuery({ pageSize: 10 }),
    data: listOf(ServiceAudit),
    topics: [serviceTopic],
  }),
}
