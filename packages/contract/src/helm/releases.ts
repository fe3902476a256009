import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { chartName, chartVersion, releaseName } from './names.ts'
import { releasesTopic } from './topics.ts'

/** The running operation of the platform on a release, or the outcome of its last one. */
export const ReleaseState = z.enum(['deploying', 'rolling-back', 'deployed', 'failed', 'uninstalling'])
export type ReleaseState = z.infer<typeof ReleaseState>

export const Release = z.object({
  id: z.number().int(),
  name: z.string(),
  stackId: z.number().int(),
  stack: z.string(),
  namespace: z.string(),
  /** The environment's UUID. */
  cluster: z.string(),
  clusterName: z.string(),
  repositoryId: z.number().int().nullable(),
  repository: z.string(),
  chart: z.string(),
  version: z.string(),
  state: ReleaseState,
  /** Why it failed, or what it waits for. */
  message: z.string(),
  actor: z.string(),
  updatedAt: z.string(),
})
export type Release = z.infer<typeof Release>

/** An object of a manifest. Values of Secrets are masked. */
export const ReleaseObject = z.object({
  kind: z.string(),
  apiVersion: z.string(),
  namespace: z.string(),
  name: z.string(),
})

export const ObjectChange = ReleaseObject.extend({
  change: z.enum(['added', 'changed', 'removed', 'same']),
  /** YAML; empty if the object does not exist. */
  before: z.string(),
  after: z.string(),
})
export type ObjectChange = z.infer<typeof ObjectChange>

/** An object that only an administrator may deploy, and why. */
export const Finding = ReleaseObject.extend({
  reason: z.enum(['cluster-wide', 'foreign-namespace', 'definition', 'privileged', 'reserved', 'not-allowed']),
})
export type Finding = z.infer<typeof Finding>

const Amount = z.object({ cpu: z.number(), memory: z.number() })

/** What a deployment would change; the dry run itself changes nothing. */
export const DryRun = z.object({
  upgrade: z.boolean(),
  objects: z.array(ObjectChange),
  hooks: z.array(ReleaseObject.extend({ events: z.array(z.string()) })),
  findings: z.array(Finding),
  /** Whether the caller may deploy it despite the findings. */
  allowed: z.boolean(),
  quota: z.object({
    /** The share of the stack; null: no limit. */
    hard: z.object({ cpu: z.number().nullable(), memory: z.number().nullable() }),
    /** The usage of the stack's pods, now and after the deployment; null while the cluster cannot be reached. */
    before: Amount.nullable(),
    after: Amount.nullable(),
    /** Why it is refused: what exceeds the share, and by how much. Empty if it fits, or the usage is unknown. */
    problem: z.string(),
  }),
  notes: z.string(),
})
export type DryRun = z.infer<typeof DryRun>

export const ReleaseRevision = z.object({
  revision: z.number().int(),
  /** Helm's status: deployed, superseded, failed, pending-upgrade … */
  status: z.string(),
  chart: z.string(),
  version: z.string(),
  appVersion: z.string(),
  description: z.string(),
  at: z.string().nullable(),
  /** Compared with the previous revision. */
  objects: z.array(ObjectChange),
})
export type ReleaseRevision = z.infer<typeof ReleaseRevision>

export const ReleaseDetails = Release.extend({
  /** Read from the cluster. Empty if the cluster cannot be reached; `problem` then says why. */
  history: z.array(ReleaseRevision),
  /** The values entered for the present revision; empty for callers who may not deploy. */
  values: z.string(),
  manifest: z.string(),
  notes: z.string(),
  live: z.array(ReleaseObject.extend({ found: z.boolean(), ready: z.string() })),
  problem: z.string(),
})
export type ReleaseDetails = z.infer<typeof ReleaseDetails>

const deployment = z.strictObject({
  name: releaseName,
  stackId: id,
  repositoryId: id,
  chart: chartName,
  version: chartVersion,
  /** YAML of what differs from the chart's values and, on an upgrade, from those of the last deployment. */
  values: z.string().max(262_144, 'helm-values-too-long').default(''),
})
export type Deployment = z.infer<typeof deployment>

const one = z.strictObject({ id, tenantId: id })
const onCluster = z.strictObject({ cluster: uuid })
const view = { team: 'tenantId', permission: 'helm_release_view' } as const
const operate = { team: 'tenantId', permission: 'helm_release_operate' } as const

export const releases = {
  list: endpoint({
    method: 'GET',
    path: '/helm/api/releases/tenant/:tenantId',
    access: view,
    summary: "A team's releases, of one cluster or of all",
    params: z.strictObject({ tenantId: id }),
    query: listQuery({ pageSize: 10 }).extend({
      envUuid: uuid.optional(),
      state: z.union([z.literal('all'), ReleaseState]).optional(),
    }),
    data: listOf(Release),
    topics: [releasesTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/helm/api/releases/:id/tenant/:tenantId',
    access: view,
    asks: ['helm_release_operate'],
    summary: 'One release: history, values, manifest, notes and its objects, as the cluster has them',
    params: one,
    query: onCluster,
    data: ReleaseDetails,
    topics: [releasesTopic],
  }),
  deploy: endpoint({
    method: 'POST',
    path: '/helm/api/charts/deploy/tenant/:tenantId',
    access: operate,
    audit: 'helm-release.deploy',
    summary:
      'Install a chart, or upgrade the release of that name; dryRun=true changes nothing and answers what would change',
    params: z.strictObject({ tenantId: id }),
    query: z.strictObject({ envUuid: uuid, dryRun: z.enum(['true', 'false']).default('false') }),
    body: deployment,
    data: z.object({ release: Release.nullable(), dryRun: DryRun.nullable() }),
    topics: [releasesTopic],
  }),
  /** Not in the specification. */
  rollback: endpoint({
    method: 'POST',
    path: '/helm/api/releases/:id/tenant/:tenantId/rollback',
    access: operate,
    audit: 'helm-release.rollback',
    summary: 'Return a release to a revision of its history',
    params: one,
    query: onCluster.extend({ revision: z.coerce.number().int().min(1, 'revision-invalid') }),
    data: Release,
    topics: [releasesTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/helm/api/releases/:id/tenant/:tenantId',
    access: { team: 'tenantId', permission: 'helm_release_delete' },
    audit: 'helm-release.delete',
    summary: 'Uninstall a release with its objects',
    params: one,
    query: onCluster,
    data: Release,
    topics: [releasesTopic],
  }),
}
