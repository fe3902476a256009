import { setTimeout as sleep } from 'node:timers/promises'
import { isValues, stackValues, type Values } from '@gantry/contract/helm/layers'
import type { Deployment, DryRun, Release } from '@gantry/contract/helm/releases'
import { releasesTopic } from '@gantry/contract/helm/topics'
import { CORE_SCHEMA, dump, loadAll } from 'js-yaml'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say, sayReasonTo, sayTo } from '../../../kernel/phrase.ts'
import { open, seal } from '../../../kernel/secrets/secrets.ts'
import { clusterOf } from '../../clusters/public.ts'
import { usedIn } from '../../quotas/public.ts'
import { getStack, identityOf, placeOf } from '../../stacks/public.ts'
import { type OpenedChart, openChart } from '../charts/charts.service.ts'
import { usableRepository } from '../repositories/repositories.service.ts'
import { dryRunArgs, helmFault, templateArgs } from './helm-args.ts'
import { changesBetween, demandOf, findingsIn, type ManifestObject, objectsOf } from './manifest.ts'
import { HelmRecord, inForce, isPending, recordsOf } from './record.ts'
import { unsettledReleases } from './reconciling.ts'
import { imagesOfRevision } from './release-images.ts'
import { addImages, findByName, findRelease, noteDeploy, putDeployment, type StoredRelease } from './releases.store.ts'
import { grantCharts } from './rights.ts'

export function visible(ctx: Ctx, row: StoredRelease): Release {
  const {
    teamId: _team,
    reason,
    given: _given,
    target: _target,
    elevated: _elevated,
    generation: _generation,
    ...rest
  } = row
  return { ...rest, message: sayReasonTo(ctx, reason) }
}

export const publishRelease = (ctx: Ctx, { id, teamId }: Pick<StoredRelease, 'id' | 'teamId'>, state: string) =>
  publish(ctx, releasesTopic, { teamId }, { releaseId: id, state })

type Stack = Awaited<ReturnType<typeof getStack>>

/** Parses values that were validated before; anything but a mapping counts as empty. */
function valuesOf(text: string): Values {
  // an empty text contains no document
  const [parsed] = loadAll(text, { schema: CORE_SCHEMA })
  return isValues(parsed) ? parsed : {}
}

export const openValues = (ctx: Ctx, given: string | null): string => (given === null ? '' : open(ctx, given))

/** The values for helm: those of the last deployment, overridden by those entered now. */
async function checkedValues(ctx: Ctx, { contents }: OpenedChart, last: string, given: string): Promise<string> {
  const beneath = dump(stackValues(valuesOf(contents.values), valuesOf(last)))
  const problems = await ctx.ports.charts.check({ text: given, schema: contents.schema, beneath }, ctx.signal)
  const [first] = problems
  if (first) {
    const details = problems.map(({ line, column, text }) => ({
      path: `values:${line}:${column}`,
      key: 'helm-values-invalid',
      text,
    }))
    const { line, column, text } = first
    throw new Fault('invalid', 'helm-values-invalid', { line, column, problem: text }, details)
  }
  return dump(stackValues(valuesOf(last), valuesOf(given)))
}

interface Rendered {
  objects: ManifestObject[]
  hooks: { objects: ManifestObject[]; events: string[] }[]
  notes: string
}

/** Tests are no part of a deployment: they run only on request. */
const isTest = (events: readonly string[]): boolean =>
  events.length > 0 && events.every((event) => event.startsWith('test'))

function renderedOf(stdout: string, namespace: string): Rendered {
  const record = HelmRecord.parse(JSON.parse(stdout))
  return {
    objects: objectsOf(record.manifest, namespace),
    hooks: record.hooks
      .filter(({ events }) => !isTest(events))
      .map(({ manifest, events }) => ({ objects: objectsOf(manifest, namespace), events })),
    notes: record.info.notes ?? '',
  }
}

const refOf = ({ kind, apiVersion, namespace, name }: ManifestObject) => ({ kind, apiVersion, namespace, name })
const rounded = (value: number) => Math.round(value * 1000) / 1000

type Quota = Omit<DryRun['quota'], 'problem'>

/** What the stack's pods use now and would use afterwards, with its quota. */
async function quotaOf(
  ctx: Ctx,
  stack: Stack,
  before: readonly ManifestObject[],
  after: readonly ManifestObject[],
): Promise<Quota> {
  const place = { envUuid: stack.envId, namespace: stack.namespace }
  const now = (await usedIn(ctx, [place]))(place)
  const hard = { cpu: stack.cpu, memory: stack.memory }
  if (now === null) return { hard, before: null, after: null }
  const [old, next] = [demandOf(before), demandOf(after)]
  const then = {
    cpu: rounded(Math.max(0, now.cpu - old.cpu) + next.cpu),
    memory: rounded(Math.max(0, now.memory - old.memory) + next.memory),
  }
  return {
    hard,
    before: { cpu: rounded(now.cpu), memory: rounded(now.memory) },
    after: then,
  }
}

/** The refusal of a chart whose pods would not all fit, with everything that exceeds the quota. */
function overShare({ lang }: Ctx, { hard, after }: Quota, release: string, stack: string): Fault | undefined {
  const over = (['cpu', 'memory'] as const).flatMap((resource) => {
    const [most, then] = [hard[resource], after?.[resource] ?? 0]
    if (most === null || then <= most) return []
    return [say(lang, `helm-over-${resource}`, { free: rounded(then - most), after: then, hard: most })]
  })
  if (over.length === 0) return undefined
  return new Fault('conflict', 'helm-share-exceeded', {
    name: release,
    stack,
    over: over.join(lang === 'zh' ? '，' : ', '),
  })
}

/** Renders against the cluster in the name of the team; nothing is stored, there or here. */
async function dryRun(
  ctx: Ctx,
  {
    cluster,
    stack,
    chart,
    name,
    values,
  }: { cluster: Cluster; stack: Stack; chart: OpenedChart; name: string; values: string },
): Promise<{ rendered: DryRun; all: ManifestObject[]; tooMuch: Fault | undefined }> {
  const { namespace } = stack
  // an administrator's templates may look up more in the cluster than the team's
  const kube = ctx.actor.admin ? cluster.kube : cluster.kube.as(identityOf(stack.teamId, ctx.actor.name))
  const run = (args: string[]) =>
    ctx.ports.helm.run({
      kube,
      namespace,
      args,
      signal: ctx.signal,
      timeout: 60_000,
      anywhere: false,
      files: { 'chart.tgz': chart.archive, 'values.yaml': values },
    })
  try {
    const place = placeOf(stack)
    /** Before its first chart a stack lacks the right to read the kinds that only charts have. */
    const rendering = async () => {
      const end = await run(dryRunArgs({ name, namespace }))
      if (end.code === 0 || ctx.actor.admin || (await grantCharts(cluster, kube, place))) return end
      for (let looks = 0; looks < 20 && !(await grantCharts(cluster, kube, place)); looks++)
        await sleep(250, undefined, { signal: ctx.signal })
      return run(dryRunArgs({ name, namespace }))
    }
    const [end, records] = await Promise.all([rendering(), recordsOf(kube, namespace, name)])
    /** The team may not even read objects that only an administrator deploys; they are listed nevertheless. */
    const renderedAlone = async (): Promise<Rendered> => {
      const alone = await run(templateArgs({ name, namespace }))
      const objects = alone.code === 0 ? objectsOf(alone.stdout, namespace) : []
      if (findingsIn(objects, namespace).length === 0) throw helmFault(end)
      return { objects, hooks: [], notes: '' }
    }
    if (records[0] !== undefined && isPending(records[0]))
      throw new Fault('conflict', 'helm-pending', { name, status: records[0].info.status ?? '' })
    const now = inForce(records)
    const before = now === undefined ? [] : objectsOf(now.manifest, namespace)
    const { objects, hooks, notes } = end.code === 0 ? renderedOf(end.stdout, namespace) : await renderedAlone()
    const all = [...objects, ...hooks.flatMap((hook) => hook.objects)]
    const findings = findingsIn(all, namespace, now === undefined ? chart.contents.definitions : [])
    const quota = await quotaOf(ctx, stack, before, objects)
    const tooMuch = overShare(ctx, quota, name, stack.name)
    const rendered = {
      upgrade: now !== undefined,
      objects: changesBetween(before, objects),
      hooks: hooks.flatMap((hook) => hook.objects.map((one) => ({ ...refOf(one), events: hook.events }))),
      findings,
      allowed: findings.length === 0 || ctx.actor.admin,
      quota: { ...quota, problem: tooMuch ? sayTo(ctx, tooMuch) : '' },
      notes,
    }
    return { rendered, all, tooMuch }
  } catch (error) {
    throw kubeFault(error)
  }
}

export const findingWords = (findings: DryRun['findings']): string =>
  findings
    .slice(0, 10)
    .map(({ kind, namespace, name }) => `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`)
    .join(', ')

export const busy = (name: string) => new Fault('conflict', 'helm-release-busy', { name })

/** The stack of a release, if it is running. */
async function readyStack(ctx: Ctx, teamId: number, id: number, clusterId: string): Promise<Stack> {
  const stack = await getStack(ctx, teamId, id, clusterId)
  if (stack.state !== 'running') throw new Fault('conflict', 'helm-stack-not-ready', { name: stack.name })
  return stack
}

/**
 * Installs a chart, or upgrades the release of that name. It is always rendered first: objects that only an
 * administrator may deploy, and pods beyond the stack's quota, are refused before anything is stored. The cluster
 * refuses them too.
 */
export async function deployChart(
  ctx: Ctx,
  teamId: number,
  clusterId: string,
  body: Deployment,
  isDry: boolean,
  /** Set for a step of a build, which finds its release again by it. */
  deployKey?: string,
): Promise<{ release: Release | null; dryRun: DryRun | null }> {
  const { name, chart: chartName, version } = body
  note(ctx, { object: name, after: { chart: chartName, version, stackId: body.stackId, dryRun: isDry } })
  const stack = await readyStack(ctx, teamId, body.stackId, clusterId)
  const repository = await usableRepository(ctx, teamId, body.repositoryId)
  if ((await ctx.ports.helm.version()) === undefined) throw new Fault('unavailable', 'helm-missing')
  const before = await findByName(ctx.db, stack.id, name)
  if (before && !['deployed', 'failed'].includes(before.state)) throw busy(name)
  const chart = await openChart(ctx, repository, chartName, version)
  const values = await checkedValues(ctx, chart, openValues(ctx, before?.given ?? null), body.values)
  const cluster = await clusterOf(ctx, clusterId)
  const { rendered, all, tooMuch } = await dryRun(ctx, { cluster, stack, chart, name, values })
  // A release of an administrator stays elevated: upgrading it removes or keeps objects that a team may not have.
  const elevated = before?.elevated === true || rendered.findings.length > 0
  const allowed = !elevated || ctx.actor.admin
  if (isDry) return { release: null, dryRun: { ...rendered, allowed } }
  if (!allowed) throw new Fault('forbidden', 'helm-needs-admin', { objects: findingWords(rendered.findings) || name })
  if (tooMuch) throw tooMuch
  return inTx(ctx, async (ctx) => {
    const id = await putDeployment(ctx.db, stack.id, name, before?.generation ?? 0, {
      repositoryId: repository.id,
      chart: chartName,
      version,
      given: seal(ctx, values),
      elevated,
      actor: ctx.actor.name,
    })
    const put = id === undefined ? undefined : await findRelease(ctx.db, id)
    if (!put) throw busy(name)
    if (deployKey !== undefined) await noteDeploy(ctx.db, deployKey, put)
    await addImages(ctx.db, put.id, imagesOfRevision(all, { revision: 0, runs: true }))
    await publishRelease(ctx, put, put.state)
    unsettledReleases.wakeAfterCommit(ctx)
    return { release: visible(ctx, put), dryRun: null }
  })
}
