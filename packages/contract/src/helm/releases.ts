import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { chartName, chartVersion, releaseName } from './names.ts'
import { releasesTopic } from './topics.ts'

/** What the platform does about a release, or how its last act ended. */
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

/** An object of a manifest. Values of secrets are masked. */
export const ReleaseObject = z.object({
  kind: z.string(),
  apiVersion: z.string(),
  namespace: z.string(),
  name: z.string(),
})

export const ObjectChange = ReleaseObject.extend({
  change: z.enum(['added', 'changed', 'removed', 'same']),
  /** YAML; empty where there is none. */
  before: z.string(),
  after: z.string(),
})
export type ObjectChange = z.infer<typeof ObjectChange>

/** What only an administrator may deploy, and why. */
export const Finding = ReleaseObject.extend({
  reason: z.enum(['cluster-wide', 'foreign-namespace', 'definition', 'privileged', 'reserved', 'not-allowed']),
})
export type Finding = z.infer<typeof Finding>

const Amount = z.object({ cpu: z.number(), memory: z.number() })

/** What a deployment would change. Nothing was changed for it. */
export const DryRun = z.object({
  upgrade: z.boolean(),
  objects: z.array(ObjectChange),
  hooks: z.array(ReleaseObject.extend({ events: z.array(z.string()) })),
  findings: z.array(Finding),
  /** Whether the caller may deploy it, findings and all. */
  allowed: z.boolean(),
  quota: z.object({
    /** The share of the stack; null: no limit. */
    hard: z.object({ cpu: z.number().nullable(), memory: z.number().nullable() }),
    /** What the pods of the stack use, now and afterwards; null while the cluster cannot be asked. */
    before: Amount.nullable(),
    after: Amount.nullable(),
    /** Why it is refused: what is over the share, and by how much. Empty where it fits, or that is not known. */
    problem: z.string(),
  }),
  notes: z.string(),
})
export type DryRun = z.infer<typeof DryRun>

export const ReleaseRevision = z.object({
  revision: z.number().int(),
  /** As helm calls it: deployed, superseded, failed, pending-upgrade … */
  status: z.string(),
  chart: z.string(),
  version: z.string(),
  appVersion: z.string(),
  description: z.string(),
  at: z.string().nullable(),
  /** Against the revision before. */
  objects: z.array(ObjectChange),
})
export type ReleaseRevision = z.infer<typeof ReleaseRevision>

export const ReleaseDetails = Release.extend({
  /** What the cluster says. Empty, and `problem` says why, where it cannot be asked. */
  history: z.array(ReleaseRevision),
  /** What was entered for the revision in force; empty for those who may not deploy. */
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
  /** YAML: what differs from the chart's own values. On an upgrade, from those of the last deployment too. */
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
  /** Ours. */
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
