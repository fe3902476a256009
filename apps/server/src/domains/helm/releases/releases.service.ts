import type { Release, ReleaseDetails, ReleaseState } from '@gantry/contract/helm/releases'
import type { List } from '@gantry/contract/paging'
import { dump } from 'js-yaml'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { holds } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import type { Page } from '../../../kernel/paging.ts'
import { sayTo } from '../../../kernel/phrase.ts'
import { clusterOf } from '../../clusters/public.ts'
import { identityOf } from '../../stacks/public.ts'
import { busy, findingWords, publishRelease, visible } from './deploy.service.ts'
import { teamKind } from './kinds.ts'
import { changesBetween, findingsIn, type ManifestObject, maskedManifest, objectsOf } from './manifest.ts'
import { type HelmRecord, inForce, recordsOf } from './record.ts'
import { unsettledReleases } from './reconciling.ts'
import { findRelease, listReleases, startAct, type StoredRelease } from './releases.store.ts'

export async function readReleases(
  ctx: Ctx,
  teamId: number,
  query: {
    envUuid?: string | undefined
    state?: ReleaseState | 'all' | undefined
    keyword?: string | undefined
    sort?: string | undefined
  },
  at: Page,
): Promise<List<Release>> {
  const state = query.state === 'all' ? undefined : query.state
  const filter = { teamId, environment: query.envUuid, state, keyword: query.keyword ?? '' }
  const found = await listReleases(ctx.db, filter, query.sort, at)
  return { ...found, items: found.items.map((row) => visible(ctx, row)) }
}

/** A release of the team on the cluster; 404 if there is none. */
async function getRelease(ctx: Ctx, teamId: number, id: number, cluster: string): Promise<StoredRelease> {
  const row = await findRelease(ctx.db, id)
  if (row?.teamId !== teamId || row.cluster !== cluster) throw new Fault('missing', 'resource-missing')
  return row
}

/** The cluster in the team's name, or in the platform's for what an administrator deployed. */
async function kubeOf(ctx: Ctx, release: StoredRelease): Promise<Kube> {
  const { kube } = await clusterOf(ctx, release.cluster)
  return release.elevated && ctx.actor.admin ? kube : kube.as(identityOf(release.teamId, ctx.actor.name))
}

const maxObjects = 60
const maxRevisions = 10

function readyWords(found: { status?: unknown; spec?: unknown }): string {
  const status = (found.status ?? {}) as Record<string, unknown>
  const spec = (found.spec ?? {}) as Record<string, unknown>
  const ready = status['readyReplicas'] ?? status['numberReady'] ?? status['succeeded'] ?? 0
  const wanted = spec['replicas'] ?? status['desiredNumberScheduled'] ?? spec['completions']
  if (typeof wanted === 'number') return `${String(ready)}/${wanted}`
  return typeof status['phase'] === 'string' ? status['phase'] : ''
}

/** The present state of a release's objects; objects that a team may not have are not read. */
async function liveOf(kube: Kube, objects: readonly ManifestObject[]): Promise<ReleaseDetails['live']> {
  return Promise.all(
    objects.slice(0, maxObjects).map(async ({ kind, apiVersion, namespace, name }) => {
      const resource = teamKind({ kind, apiVersion })
      const found = resource && (await kube.find(resource, { namespace, name }))
      return {
        kind,
        apiVersion,
        namespace,
        name,
        found: found !== undefined,
        ready: found === undefined ? '' : readyWords(found as { status?: unknown; spec?: unknown }),
      }
    }),
  )
}

const momentOf = (text: string): string | null => (Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString())

function revisionsOf(records: readonly HelmRecord[], namespace: string): ReleaseDetails['history'] {
  const latest = records.slice(0, maxRevisions)
  const objects = latest.map(({ manifest }) => objectsOf(manifest, namespace))
  return latest.map((record, at) => ({
    revision: record.version,
    status: record.info.status ?? '',
    chart: record.chart.name,
    version: record.chart.version,
    appVersion: record.chart.appVersion,
    description: record.info.description ?? '',
    at: momentOf(record.info.last_deployed ?? ''),
    objects: changesBetween(objects[at + 1] ?? [], objects[at] ?? []).filter(({ change }) => change !== 'same'),
  }))
}

/** A release with the state of its objects in the cluster; if that does not answer, without it. */
export async function readRelease(ctx: Ctx, teamId: number, id: number, cluster: string): Promise<ReleaseDetails> {
  const row = await getRelease(ctx, teamId, id, cluster)
  const nothing = { history: [], values: '', manifest: '', notes: '', live: [] }
  try {
    const kube = await kubeOf(ctx, row)
    const records = await recordsOf(kube, row.namespace, row.name)
    const now = inForce(records)
    if (!now) return { ...visible(ctx, row), ...nothing, history: revisionsOf(records, row.namespace), problem: '' }
    const maySeeValues = await holds(ctx, teamId, 'helm_release_operate')
    return {
      ...visible(ctx, row),
      history: revisionsOf(records, row.namespace),
      values: maySeeValues && Object.keys(now.config).length > 0 ? dump(now.config) : '',
      manifest: maskedManifest(now.manifest, row.namespace),
      notes: now.info.notes ?? '',
      live: await liveOf(kube, objectsOf(now.manifest, row.namespace)),
      problem: '',
    }
  } catch (error) {
    const fault = kubeFault(error)
    if (!(fault instanceof Fault)) throw error
    return { ...visible(ctx, row), ...nothing, problem: sayTo(ctx, fault) }
  }
}

/** Only a user who may deploy such objects may change a release that contains them. */
function mustBeAllowed(ctx: Ctx, row: StoredRelease, records: readonly HelmRecord[], revision?: number): boolean {
  const record = revision === undefined ? undefined : records.find(({ version }) => version === revision)
  const objects = record === undefined ? [] : objectsOf(record.manifest, row.namespace)
  const findings = findingsIn(objects, row.namespace)
  if ((row.elevated || findings.length > 0) && !ctx.actor.admin)
    throw new Fault('forbidden', 'helm-needs-admin', { objects: findingWords(findings) || row.name })
  return row.elevated || findings.length > 0
}

async function start(
  ctx: Ctx,
  row: StoredRelease,
  act: { state: 'rolling-back' | 'uninstalling'; target: number | null; elevated: boolean },
): Promise<Release> {
  return inTx(ctx, async (ctx) => {
    if (!(await startAct(ctx.db, row.id, row.generation, { ...act, actor: ctx.actor.name }))) throw busy(row.name)
    await publishRelease(ctx, row, act.state)
    unsettledReleases.wakeAfterCommit(ctx)
    return visible(ctx, await getRelease(ctx, row.teamId, row.id, row.cluster))
  })
}

export async function rollbackRelease(
  ctx: Ctx,
  teamId: number,
  id: number,
  { cluster, revision }: { cluster: string; revision: number },
): Promise<Release> {
  const row = await getRelease(ctx, teamId, id, cluster)
  note(ctx, { object: row.name, after: { revision } })
  if ((await ctx.ports.helm.version()) === undefined) throw new Fault('unavailable', 'helm-missing')
  const kube = await kubeOf(ctx, row)
  const records = await recordsOf(kube, row.namespace, row.name).catch((error: unknown) => {
    throw kubeFault(error)
  })
  if (!records.some(({ version }) => version === revision))
    throw new Fault('missing', 'helm-revision-missing', { name: row.name, revision })
  const elevated = mustBeAllowed(ctx, row, records, revision)
  return start(ctx, row, { state: 'rolling-back', target: revision, elevated })
}

export async function removeRelease(ctx: Ctx, teamId: number, id: number, cluster: string): Promise<Release> {
  const row = await getRelease(ctx, teamId, id, cluster)
  note(ctx, { object: row.name, before: { chart: row.chart, version: row.version, stack: row.stack } })
  if ((await ctx.ports.helm.version()) === undefined) throw new Fault('unavailable', 'helm-missing')
  const elevated = mustBeAllowed(ctx, row, [])
  return start(ctx, row, { state: 'uninstalling', target: null, elevated })
}
