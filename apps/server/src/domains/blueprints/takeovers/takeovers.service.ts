import type { ReleasePlan } from '@gantry/contract/blueprints/releases'
import type { FoundNamespace, FoundWorkload, TakeoverPlan, takeovers } from '@gantry/contract/blueprints/takeovers'
import type { List } from '@gantry/contract/paging'
import { typeOf } from '@gantry/contract/stacks/spec'
import type { Stack } from '@gantry/contract/stacks/stacks'
import type { CompiledService } from '@gantry/tosca/compile'
import type { z } from 'zod'
import type { Kube } from '../../../adapters/kube/client.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import type { KubeObject } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { containing, type Page, paged } from '../../../kernel/paging.ts'
import { isPhrase, say } from '../../../kernel/phrase.ts'
import { ThreadLimit } from '../../../kernel/thread.ts'
import { clusterOf, listKnown, mustUse } from '../../clusters/public.ts'
import { applyChanges, createStack, findStack, shownStack, usedBy, withEachSecret } from '../../stacks/public.ts'
import { documentOf, masked, readApart, wordsOf } from '../imports/imports.service.ts'
import type { Read } from '../imports/read.ts'
import type { Diagnostic } from '../imports/telling.ts'
import { plannedOf, turnsOf } from '../releases/plan.ts'
import { preview } from '../releases/preview.ts'
import { nothing } from '../releases/releases.service.ts'
import {
  adoptedOf,
  bare,
  configMapFields,
  faultsOf,
  type Found,
  nameOf,
  namesIn,
  secretFields,
  templateOf,
  type Why,
  type Workload,
} from './found.ts'

type Body = z.output<typeof takeovers.check.body>
type Params = z.output<typeof takeovers.check.params>

const become = [kinds.deployments, kinds.statefulSets, kinds.daemonSets, kinds.cronJobs] as const

/** Namespaces that the cluster itself, or the product's agent in it, depends on; they cannot be taken over. */
const isKept = ({ metadata }: KubeObject): boolean => {
  const name = metadata?.name ?? ''
  const marks = metadata?.labels ?? {}
  return (
    /^(default$|kube-|gantry-)/.test(name) ||
    marks[labels.stack] !== undefined ||
    marks[labels.environment] !== undefined ||
    metadata?.deletionTimestamp !== undefined
  )
}

const isOwned = ({ metadata }: KubeObject): boolean => (metadata?.ownerReferences ?? []).length > 0

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw kubeFault(error)
  }
}

/** The namespaces of a cluster that a team could take over. */
export async function listNamespaces(
  ctx: Ctx,
  { teamId, envId }: { teamId: number; envId: string },
  keyword: string | undefined,
  at: Page,
): Promise<List<FoundNamespace>> {
  await mustUse(ctx, envId, teamId)
  const { kube } = await clusterOf(ctx, envId)
  return answered(async () => {
    const counts = new Map<string, number>()
    for (const resource of become)
      for await (const { items } of kube.pages<KubeObject>(resource))
        for (const one of items.filter((item) => !isOwned(item))) {
          const namespace = one.metadata?.namespace ?? ''
          counts.set(namespace, (counts.get(namespace) ?? 0) + 1)
        }
    const rows: FoundNamespace[] = []
    for await (const { items } of kube.pages(kinds.namespaces))
      for (const one of items.filter((item) => !isKept(item)))
        rows.push({
          name: nameOf(one),
          workloads: counts.get(nameOf(one)) ?? 0,
          createdAt: one.metadata?.creationTimestamp ?? '',
        })
    return paged(
      containing(rows, keyword, ({ name }) => [name]).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      at,
    )
  })
}

interface Inspection {
  uid: string
  found: Found
  /** Objects that are left as they are, each with the reason. */
  stays: Why[]
  read: Read
}

/** Objects that no other object owns. */
async function free<T extends KubeObject>(kube: Kube, resource: kinds.Resource<T>, namespace: string): Promise<T[]> {
  return (await listKnown(kube, resource, { namespace })).filter((one) => !isOwned(one))
}

async function mustBeFree(kube: Kube, namespace: string): Promise<string> {
  const found = await kube.find(kinds.namespaces, { name: namespace })
  const uid = found?.metadata?.uid
  if (!found || uid === undefined) throw new Fault('missing', 'takeovers-namespace-missing', { namespace })
  if (found.metadata?.labels?.[labels.stack] !== undefined)
    throw new Fault('conflict', 'takeovers-namespace-taken', { namespace })
  if (isKept(found)) throw new Fault('conflict', 'takeovers-namespace-kept', { namespace })
  return uid
}

async function textOf(kube: Kube, namespace: string, { workloads, services }: Found): Promise<string> {
  const templates = workloads.map(templateOf)
  const refer = async (resource: typeof kinds.configMaps | typeof kinds.secrets, fields: Record<string, string>) =>
    (
      await Promise.all(
        [...namesIn(templates, fields)].map(async (name) => {
          const one = await kube.find<KubeObject>(resource, { name, namespace })
          return one ? [bare(resource.kind, one, name)] : []
        }),
      )
    ).flat()
  return [
    ...workloads.map(({ kind, object }) => bare(kind, object, nameOf(object))),
    ...services.map((one) => bare('Service', one, nameOf(one))),
    ...(await refer(kinds.configMaps, configMapFields)),
    ...(await refer(kinds.secrets, secretFields)),
  ].join('\n---\n')
}

/** The contents of a namespace, and the services that its workloads would become. */
async function look(kube: Kube, namespace: string): Promise<Inspection> {
  const uid = await mustBeFree(kube, namespace)
  const all = await Promise.all(
    become.map(async (resource) =>
      (await listKnown<KubeObject>(kube, resource, { namespace })).map((object): Workload => ({
        kind: resource.kind as Workload['kind'],
        object,
      })),
    ),
  )
  const workloads = all.flat()
  const [services, budgets, autoscalers, ingresses, jobs, pods] = await Promise.all([
    free(kube, kinds.services, namespace),
    free(kube, kinds.disruptionBudgets, namespace),
    free(kube, kinds.autoscalers, namespace),
    free(kube, kinds.ingresses, namespace),
    free(kube, kinds.jobs, namespace),
    free(kube, kinds.pods, namespace),
  ])
  const found: Found = {
    workloads: workloads.filter(({ object }) => !isOwned(object)),
    services: services.filter(({ spec }) => Object.keys(spec?.selector ?? {}).length > 0),
    budgets,
    autoscalers: autoscalers.map((one) => ({
      name: nameOf(one),
      target: `${one.spec?.scaleTargetRef.kind} ${one.spec?.scaleTargetRef.name}`,
    })),
  }
  const reasonFor = (kind: string, phrase: string) => (one: KubeObject) => ({
    key: `takeovers-stays-${phrase}`,
    vars: { kind, name: nameOf(one).slice(0, 100) },
  })
  const names = new Set(found.workloads.map(({ object }) => nameOf(object)))
  const stays = [
    ...workloads.filter(({ object }) => isOwned(object)).map(({ kind, object }) => reasonFor(kind, 'owned')(object)),
    ...services.filter((one) => !names.has(nameOf(one))).map(reasonFor('Service', 'address')),
    ...ingresses.map(reasonFor('Ingress', 'ingress')),
    ...jobs.map(reasonFor('Job', 'job')),
    ...pods.map(reasonFor('Pod', 'pod')),
  ]
  if (found.workloads.length === 0) throw new Fault('conflict', 'takeovers-namespace-empty', { namespace })
  const text = await textOf(kube, namespace, found)
  const read = await readApart(text).catch((error: unknown) => {
    throw error instanceof ThreadLimit ? new Fault('invalid', 'imports-too-complex') : error
  })
  return { uid, found, stays, read }
}

/** Notes of an import that do not apply to a takeover, because the objects in question stay. */
const stand = new Set([
  'imports-namespace',
  'imports-object-labels',
  'imports-address',
  'imports-port',
  'imports-unused',
  'imports-unused-entry',
  'imports-not-in-text',
])
/** Notes of changes by which nothing is lost. */
const changes = new Set(['imports-limit-cpu', 'imports-limit-memory', 'imports-label-reserved', 'imports-overlap'])

const isFixed = ({ key, vars }: Diagnostic): boolean =>
  key === 'imports-no-place' && vars['field'] === 'spec.podManagementPolicy'

const whyOf = ({ lang }: Ctx, { key, vars }: Why): string => (isPhrase(key) ? say(lang, key, vars) : key)

async function podsOf(kube: Kube, namespace: string, { kind, object }: Workload): Promise<number> {
  const status = (object.status ?? {}) as Record<string, number | undefined>
  if (kind === 'DaemonSet') return status['currentNumberScheduled'] ?? 0
  if (kind !== 'CronJob') return status['replicas'] ?? 0
  return (await kube.list(kinds.jobs, { namespace })).items
    .filter(({ metadata }) => metadata?.ownerReferences?.some(({ uid }) => uid === object.metadata?.uid))
    .reduce((sum, job) => sum + (job.status?.active ?? 0), 0)
}

/** A service with a TCP port and no readiness probe gets one: it receives requests once that port is open. */
function checksAdded(workload: Workload, { spec }: CompiledService): Why[] {
  const port = spec.ports.find(({ protocol }) => protocol === 'TCP')?.port
  const isChecked = (templateOf(workload).spec?.containers ?? []).some(({ readinessProbe }) => readinessProbe)
  return port === undefined || isChecked || workload.kind === 'CronJob'
    ? []
    : [{ key: 'takeovers-readiness', vars: { port } }]
}

interface Judged extends FoundWorkload {
  service: CompiledService | undefined
  workload: Workload
}

async function judge(ctx: Ctx, kube: Kube, namespace: string, { found, read }: Inspection): Promise<Judged[]> {
  return Promise.all(
    found.workloads.map(async (workload): Promise<Judged> => {
      const name = nameOf(workload.object)
      const service = read.services.find((one) => one.name === name)
      const about = read.notes.filter((one) => one.service === name && !stand.has(one.key) && !isFixed(one))
      const wrong = [
        ...read.wrong.filter((one) => one.service === name || one.service === '').map((one) => wordsOf(ctx, one)),
        ...faultsOf(workload, found).map((one) => whyOf(ctx, one)),
      ]
      if (service)
        withEachSecret(service.spec, (_key, value) => {
          ctx.secrets.add(value)
          return value
        })
      return {
        name,
        kind: workload.kind,
        pods: await podsOf(kube, namespace, workload),
        document: service ? documentOf(masked(service.spec)) : '',
        wrong: [...new Set(wrong)],
        lost: [...new Set(about.filter(({ key }) => !changes.has(key)).map((one) => wordsOf(ctx, one)))],
        notes: [
          ...new Set([
            ...about.filter(({ key }) => changes.has(key)).map((one) => wordsOf(ctx, one)),
            ...(service ? checksAdded(workload, service) : []).map((one) => whyOf(ctx, one)),
          ]),
        ],
        service,
        workload,
      }
    }),
  )
}

interface Chosen {
  uid: string
  found: Found
  take: Judged[]
}

/** Creates the stack of the namespace and a service for each chosen workload, or nothing. */
const handOver = (ctx: Ctx, { t, appId }: Params, body: Body, { uid, found, take }: Chosen): Promise<number> =>
  inTx(ctx, async (ctx) => {
    const { namespace, stackName: name, envId, description, quota } = body
    const productId = appId === 'none' ? null : appId
    const stack = await createStack(ctx, t, { name, envId, description, productId, quota }, { name: namespace, uid })
    await applyChanges(
      ctx,
      stack,
      take.flatMap(({ service, workload }) =>
        service
          ? [
              {
                type: 'create' as const,
                name: service.name,
                serviceType: typeOf(service.spec),
                spec: service.spec,
                adopted: adoptedOf(workload, found),
              },
            ]
          : [],
      ),
    )
    return stack.id
  })

const noted = (ctx: Ctx, { namespace, stackName, envId }: Body, take: readonly string[] = []): void =>
  note(ctx, { object: stackName, after: { envId, namespace, services: [...take] } })

const isWhole = ({ wrong, lost, service }: Judged): boolean => wrong.length === 0 && lost.length === 0 && !!service

async function lookFor(ctx: Ctx, { t }: Params, { envId, namespace }: Body) {
  await mustUse(ctx, envId, t)
  const { kube } = await clusterOf(ctx, envId)
  return answered(async () => {
    const seen = await look(kube, namespace)
    return { seen, judged: await judge(ctx, kube, namespace, seen) }
  })
}

/** Previews what a namespace would become, and lists what has no equivalent. */
export async function checkTakeover(ctx: Ctx, params: Params, body: Body): Promise<TakeoverPlan> {
  noted(ctx, body, body.take)
  const { seen, judged } = await lookFor(ctx, params, body)
  const wanted = body.take && new Set(body.take)
  const take = judged.filter((one) => (wanted ? wanted.has(one.name) && one.wrong.length === 0 : isWhole(one)))
  const services = take.flatMap(({ service }) => service ?? [])
  const turns = turnsOf(services)
  const empty: ReleasePlan = {
    blueprint: null,
    made: services.map((one) => plannedOf(one, turns)),
    changed: [],
    restarted: [],
    removed: [],
    same: [],
    share: { before: nothing, after: nothing, quota: body.quota },
    outputs: [],
    refusals: [],
  }
  const act = async (inside: Ctx) =>
    usedBy(inside, await handOver(inside, params, body, { uid: seen.uid, found: seen.found, take }))
  return {
    namespace: body.namespace,
    workloads: judged.map(({ service: _, workload: __, ...rest }) => rest),
    take: take.map(({ name }) => name),
    stays: seen.stays.map((one) => whyOf(ctx, one)),
    plan: services.length === 0 ? null : await preview(ctx, empty, act),
  }
}

/** 400 if one of the workloads is missing or cannot be taken over; nothing is created then. */
export async function takeOverNamespace(ctx: Ctx, params: Params, body: Body & { take: string[] }): Promise<Stack> {
  noted(ctx, body, body.take)
  const { seen, judged } = await lookFor(ctx, params, body)
  const take = body.take.map((name) => {
    const one = judged.find((other) => other.name === name)
    if (!one)
      throw new Fault('invalid', 'takeovers-workload-unknown', { name: name.slice(0, 60), ...namespaceOf(body) })
    if (one.wrong[0] !== undefined || !one.service)
      throw new Fault('conflict', 'takeovers-refused', { name, reason: one.wrong[0] ?? '' })
    return one
  })
  const id = await handOver(ctx, params, body, { uid: seen.uid, found: seen.found, take })
  noted(ctx, body, body.take)
  const stack = mustExist(await findStack(ctx.db, id))
  return shownStack(ctx, stack)
}

const namespaceOf = ({ namespace }: Body) => ({ namespace })
