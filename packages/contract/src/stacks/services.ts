import { z } from 'zod'
import { decisionsTopic } from '../decisions/topics.ts'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { ServiceCopy } from './copies/copy.ts'
import { ServiceName, ServiceSpec, ServiceType } from './spec.ts'
import { Workload } from './spec-run.ts'
import { ServiceState } from './states.ts'
import { Scaling } from './scaling/autoscaling.ts'
import { confirmation } from '../validators.ts'
import { serviceEventsTopic, serviceTopic, stacksTopic, stackTopic } from './topics.ts'

export const ServiceSummary = z.object({
  id: z.number().int(),
  stackId: z.number().int(),
  stackUuid: z.string(),
  stackName: z.string(),
  teamId: z.number().int(),
  envId: z.string(),
  name: z.string(),
  type: ServiceType,
  workload: Workload,
  state: ServiceState,
  /**
   * Why it is in its state, in the caller's language: the crash, the refused image, the quota; also later problems of
   * the pods of a settled service.
   */
  message: z.string(),
  image: z.string(),
  /** The running digest of the wanted revision; empty until it runs. */
  digest: z.string(),
  /** The wanted number of pods; for workloads that run on every host, or to their end, the existing number. */
  replicas: z.number().int(),
  /** Ready pods of the wanted revision; 0 at the beginning of an upgrade. */
  ready: z.number().int(),
  revision: z.number().int(),
  /** How current the figures are: live, stale since, or not loaded yet. */
  live: z.object({ state: z.enum(['live', 'stale', 'loading']), since: z.string().nullable() }),
  /** The service's addresses inside its cluster, and from a browser if there is one. */
  addresses: z.array(z.object({ name: z.string(), url: z.string(), external: z.boolean() })),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Who requested its present state. */
  changedBy: z.string(),
  /** The number of fields changed in the cluster by something other than the platform, when last read. */
  drift: z.number().int(),
})
export type ServiceSummary = z.infer<typeof ServiceSummary>

export const Revision = z.object({
  revision: z.number().int(),
  image: z.string(),
  digest: z.string(),
  /** Why a tag was not replaced by a digest before it ran; empty if all were, or a digest was given. */
  unpinned: z.string(),
  /** The request: create, upgrade, edit, scale, resume, return, rollBack, cancel. */
  action: z.string(),
  /** The fields that differ from the previous revision; null if that is no longer known. */
  changes: z.array(ServiceSpec.keyof()).nullable(),
  by: z.string(),
  /** The build that requested it, as long as the build exists. */
  build: z
    .object({ number: z.number().int(), pipelineId: z.number().int(), groupId: z.number().int(), pipeline: z.string() })
    .nullable(),
  createdAt: z.string(),
})

/** Secrets in `spec.environment` are masked; a mask that is sent back keeps the value. */
export const ServiceDetail = ServiceSummary.extend({
  spec: ServiceSpec,
  /** The specification to which a cancel or a rollback would return, if any. */
  previous: ServiceSpec.nullable(),
  /** The copy of its upgrade, or how the last one ended. */
  copy: ServiceCopy.nullable(),
  /** For an autoscaled service. */
  scaling: Scaling.nullable(),
  /** Only on request: the copy of a blue/green upgrade. */
  bgConf: ServiceCopy.nullable().optional(),
  /**
   * Its use of the stack's share, in cores and GiB, including surge, the specification to which it may be rolled back,
   * and pods that are not deleted yet.
   */
  takes: z.object({ cpu: z.number(), memory: z.number() }),
  revisions: z.array(Revision),
})
export type ServiceDetail = z.infer<typeof ServiceDetail>

export const Container = z.object({
  /** The uid of the pod. */
  podId: z.string(),
  podName: z.string(),
  /** The name of the container. */
  name: z.string(),
  /** `sidecar` runs beside the main container; `debug` was started to inspect another. */
  role: z.enum(['main', 'sidecar', 'debug']),
  state: z.string(),
  message: z.string(),
  ready: z.boolean(),
  restarts: z.number().int(),
  image: z.string(),
  digest: z.string(),
  node: z.string(),
  ip: z.string(),
  revision: z.string(),
  startedAt: z.string().nullable(),
})
export type Container = z.infer<typeof Container>

export const ServiceClaim = z.object({
  name: z.string(),
  /** In Kubernetes' notation: `10Gi`. */
  size: z.string(),
  /** Empty: the cluster's default. */
  storageClass: z.string(),
  /** Kubernetes' word; empty if the cluster does not answer, so that the claim is known from the document only. */
  phase: z.string(),
})
export type ServiceClaim = z.infer<typeof ServiceClaim>

export const ServiceEvent = z.object({
  type: z.string(),
  reason: z.string(),
  message: z.string(),
  object: z.string(),
  count: z.number().int(),
  lastAt: z.string(),
})

const namedParams = z.strictObject({ teamId: id, stackId: idOrUuid, serviceName: ServiceName })
const oneParams = z.strictObject({ teamId: id, envId: uuid, id })
const onEnv = (rest: string) => `/orchestration/api/:teamId/env/:envId/${rest}` as const
/**
 * The revision on which a change is based: 409 if somebody has changed the service since. Without it, the change
 * applies to the present specification.
 */
export const basis = {
  revision: z.coerce.number('revision-invalid').int('revision-invalid').min(1, 'revision-invalid').optional(),
}
const view = { team: 'teamId', permission: 'stack_service_view' } as const
/** For changes of what runs: the image, the command, everything in the specification. */
const edit = { team: 'teamId', permission: 'stack_service_edit' } as const
/**
 * For the number of instances, restarts, and the choice between the two specifications of an upgrade; introduces
 * nothing new.
 */
const operate = { team: 'teamId', permission: 'stack_service_operate' } as const

export const services = {
  list: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/stacks/:uuid/services',
    access: view,
    summary: "A stack's services with their live state",
    params: z.strictObject({ teamId: id, envId: uuid, uuid: idOrUuid }),
    query: listQuery({ pageSize: 10 }).extend({
      search: z.string().max(200).optional(),
      state: z.enum(['all', ...ServiceState.options]).optional(),
      osType: z.enum(['linux', 'windows']).optional(),
    }),
    data: listOf(ServiceSummary),
    topics: [stacksTopic, stackTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/orchestration/api/:teamId/stack/:stackId/service/:serviceName',
    access: { team: 'teamId', permission: 'stack_service_create' },
    audit: 'service.create',
    summary: 'Add a business service to a stack and deploy it',
    params: namedParams,
    body: ServiceSpec,
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  /** `PUT` by name does the same as the upgrade action: the service then waits for confirm, cancel or rollback. */
  update: endpoint({
    method: 'PUT',
    path: '/orchestration/api/:teamId/stack/:stackId/service/:serviceName',
    access: edit,
    audit: 'service.upgrade',
    summary: 'Upgrade a service to a new specification',
    params: namedParams,
    query: z.strictObject(basis),
    body: ServiceSpec,
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: onEnv('service/:id'),
    access: view,
    summary: 'One service with its specification and revisions; `type=bgConf` adds its blue/green upgrade',
    params: oneParams,
    query: z.strictObject({ type: z.enum(['bgConf']).optional() }),
    data: ServiceDetail,
    topics: [serviceTopic],
  }),
  brief: endpoint({
    method: 'GET',
    path: onEnv('service/:id/brief'),
    access: view,
    summary: 'One service as lists show it',
    params: oneParams,
    data: ServiceSummary,
    topics: [serviceTopic],
  }),
  /** Unlike an upgrade, an edit needs no decision afterwards; it is undone by returning to a revision. */
  edit: endpoint({
    method: 'PUT',
    path: onEnv('service/:id'),
    access: edit,
    audit: 'service.edit',
    summary: 'Put a new specification of a service in place at once, without an upgrade to confirm',
    params: oneParams,
    query: z.strictObject(basis),
    body: ServiceSpec,
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  upgrade: endpoint({
    method: 'POST',
    path: onEnv('service/:id'),
    action: 'upgrade',
    access: edit,
    audit: 'service.upgrade',
    summary: 'Upgrade a service to a new specification',
    params: oneParams,
    query: z.strictObject(basis),
    body: ServiceSpec,
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  confirm: endpoint({
    method: 'POST',
    path: onEnv('service/:id'),
    action: 'confirm',
    access: operate,
    audit: 'service.confirm',
    summary: 'Keep what an upgrade put in place',
    params: oneParams,
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic, decisionsTopic],
  }),
  cancel: endpoint({
    method: 'POST',
    path: onEnv('service/:id'),
    action: 'cancel',
    access: operate,
    audit: 'service.cancel',
    summary: 'End an upgrade that is under way or failed, and return to what ran before it',
    params: oneParams,
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic, decisionsTopic],
  }),
  rollBack: endpoint({
    method: 'POST',
    path: onEnv('service/:id'),
    action: 'rollBack',
    access: operate,
    audit: 'service.roll-back',
    summary: 'Return from an upgrade that waits to be confirmed to what ran before it',
    params: oneParams,
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic, decisionsTopic],
  }),
  scale: endpoint({
    method: 'POST',
    path: onEnv('service/:id'),
    action: 'scale',
    access: operate,
    audit: 'service.scale',
    summary: 'Run as many pods of a service, and change nothing else of it',
    params: oneParams,
    query: z.strictObject({
      replicas: z.coerce
        .number('replicas-range')
        .int('replicas-range')
        .min(0, 'replicas-range')
        .max(1000, 'replicas-range'),
      ...basis,
    }),
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  resume: endpoint({
    method: 'POST',
    path: onEnv('service/:id'),
    action: 'resume',
    access: operate,
    audit: 'service.resume',
    summary: 'Let autoscaling decide again how many pods of a service run',
    params: oneParams,
    query: z.strictObject(basis),
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  start: endpoint({
    method: 'POST',
    path: onEnv('service/:id'),
    action: 'start',
    access: operate,
    audit: 'service.start',
    summary: 'Run as many pods of a stopped service as there were before it was stopped',
    params: oneParams,
    data: ServiceDetail,
    topics: [stacksTopic, serviceTopic],
  }),
  restart: endpoint({
    method: 'POST',
    path: '/orchestration/api/:teamId/env/:envId/stacks/:stackName/services/restart',
    access: operate,
    audit: 'service.restart',
    summary: 'Restart services of a stack, pod by pod',
    params: z.strictObject({ teamId: id, envId: uuid, stackName: z.string().max(63) }),
    body: z.array(ServiceName).min(1, 'list-empty').max(100, 'list-too-long'),
    data: z.null(),
    topics: [stacksTopic, serviceTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    /** `{serviceId}_{serviceType}`, as specified: `12_business`. */
    path: onEnv('service/:idAndType'),
    access: { team: 'teamId', permission: 'stack_service_delete' },
    audit: 'service.delete',
    summary:
      'Delete a service with its workload; its claims stay unless told. deleteFore forgets it though its cluster is gone',
    params: z.strictObject({
      teamId: id,
      envId: uuid,
      idAndType: z.string().regex(/^[1-9]\d{0,9}_[a-z-]{1,30}$/, 'id-invalid'),
    }),
    query: z.strictObject({
      confirm: confirmation,
      deleteFore: z.enum(['true', 'false']).optional(),
      /** Whether its claims, and so their data, are kept or deleted. */
      claims: z.enum(['keep', 'delete']).default('keep'),
    }),
    data: z.null(),
    topics: [stacksTopic, serviceTopic],
  }),
  claims: endpoint({
    method: 'GET',
    path: onEnv('service/:id/claims'),
    access: view,
    summary: 'The claims of a service, which deleting it keeps unless told',
    params: oneParams,
    query: listQuery({ pageSize: 50 }),
    data: listOf(ServiceClaim),
    topics: [serviceTopic],
  }),
  containers: endpoint({
    method: 'GET',
    path: onEnv('service/:id/containers'),
    access: view,
    summary: "A service's containers, those of the previous revision included",
    params: oneParams,
    query: listQuery({ pageSize: 50 }),
    data: listOf(Container),
    topics: [serviceTopic],
  }),
  events: endpoint({
    method: 'GET',
    path: '/orchestration/api/tenants/:teamId/env/:envId/events/:serviceId',
    access: view,
    summary: "Kubernetes' events of a service's objects, newest first",
    params: z.strictObject({ teamId: id, envId: uuid, serviceId: id }),
    query: listQuery({ pageSize: 50 }),
    data: listOf(ServiceEvent),
    topics: [serviceEventsTopic],
  }),
}
