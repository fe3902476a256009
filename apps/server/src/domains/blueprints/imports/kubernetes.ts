import { labels } from '../../../adapters/kube/labels.ts'
import { type Cell, reportUnread, whole } from './cells.ts'
import { type Draft, jsonOf, openDraft } from './fields.ts'
import { type Obj, objectsOf } from './objects.ts'
import { putIngress } from './ingress.ts'
import { putPod } from './pod.ts'
import type { Named } from './placement.ts'
import { openSources } from './sources.ts'
import type { Reporter } from './telling.ts'
import { type Claim, claimOf, type Cluster } from './volumes.ts'
import { passRestart, putWorkload, workloads } from './workloads.ts'

/** A workload of the text, with the labels that select its pods. */
interface Workloaded {
  object: Obj
  draft: Draft
  podLabels: Record<string, string>
}

/** Kinds that the product itself creates for each stack or service. */
const own = new Set(['Namespace', 'ResourceQuota', 'LimitRange', 'NetworkPolicy', 'EndpointSlice', 'Endpoints'])
/** Kinds whose pods nobody replaces when their host is lost. */
const alone = new Set(['Pod', 'ReplicaSet', 'ReplicationController'])

/** Reads the annotation in which an export keeps the fields that no object has. */
function putBeyond(draft: Draft, { beyond }: Obj, tell: Reporter): void {
  if (!beyond) return
  let said: unknown
  try {
    said = JSON.parse(beyond.text)
  } catch {
    said = undefined
  }
  if (typeof said !== 'object' || said === null || Array.isArray(said))
    return tell.wrong(beyond.at, 'imports-beyond', { name: draft.name })
  const { requires, registries, ...fields } = said as Record<string, unknown>
  for (const field of ['outward', 'registryId', 'configuration', 'autoscaling', 'replicas'])
    if (fields[field] !== undefined) draft.put(field, fields[field], beyond.at)
  for (const name of Array.isArray(requires) ? requires : []) draft.requires.push({ name: String(name), at: beyond.at })
  const containers = (draft.document['containers'] ?? []) as { name: string; registryId?: unknown }[]
  for (const one of containers) {
    const id = (registries as Record<string, unknown> | undefined)?.[one.name]
    if (id !== undefined) one.registryId = id
  }
}

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce((found, key) => (found as Record<string, unknown> | undefined | null)?.[key], value)

/** The labels of a workload's pods. */
const podLabelsOf = ({ cell, kind }: Obj): Record<string, string> => {
  const above = kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec'] : ['spec']
  const found = at(jsonOf(cell), ...above, 'template', 'metadata', 'labels')
  return Object.fromEntries(
    Object.entries((found as object | undefined) ?? {}).map(([key, value]) => [key, String(value)]),
  )
}

/** Finds the service whose pods match a selector; undefined unless exactly one does. */
const finder =
  (all: readonly Workloaded[]): Named =>
  (selector) => {
    const wanted = Object.entries((at(selector, 'matchLabels') ?? selector ?? {}) as Record<string, unknown>)
    if (wanted.length === 0) return undefined
    const found = all.filter(({ podLabels }) => wanted.every(([key, value]) => podLabels[key] === String(value)))
    return found.length === 1 ? found[0]?.draft.name : undefined
  }

/** Reads the ports at which others reach a service. */
function putAddress(
  { fields, name, isOwn, at: place }: Obj,
  named: Named,
  drafts: ReadonlyMap<string, Draft>,
  tell: Reporter,
): Draft | undefined {
  const spec = fields.fields('spec')
  const external = spec?.text('externalName')
  if (spec && external !== undefined) {
    const draft = openDraft(name, place)
    const ports = spec.rows('ports').map((row) => {
      row.pass('name', 'targetPort')
      return { port: row.figure('port'), protocol: row.text('protocol') ?? 'TCP' }
    })
    spec.pass('type')
    draft.put('outward', { type: 'external', dns: external, ports }, spec.place('externalName'))
    return draft
  }
  const target = drafts.get(named(spec?.json('selector')) ?? '')
  spec?.pass('selector')
  if (!spec || !target) {
    tell.note(place, 'imports-unused', { kind: 'Service', name: name.slice(0, 100) })
    fields.pass('spec')
    return undefined
  }
  const reporter = tell.of(target.name)
  if (name !== target.name) reporter.note(place, 'imports-address', { name: target.name, given: name.slice(0, 100) })
  const type = spec.text('type') ?? 'ClusterIP'
  if (type !== 'ClusterIP')
    reporter.note(spec.place('type'), 'imports-exposed', { name: target.name, type: type.slice(0, 30) })
  spec.usual('clusterIP', 'None', '')
  if (!isOwn && spec.has('clusterIP')) spec.pass('clusterIP')
  spec.pass('clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy')
  spec.usual('sessionAffinity', 'None')
  const open = (target.document['ports'] ?? []) as { port: number; protocol: string }[]
  for (const row of spec.rows('ports')) {
    row.pass('name', 'nodePort')
    const port = row.figure('port')
    const protocol = row.text('protocol') ?? 'TCP'
    const to = row.text('targetPort')
    const number = to === undefined ? port : /^\d+$/.test(to) ? Number(to) : target.namedPorts.get(to)
    row.usual('appProtocol', 'http')
    if (number !== undefined && !open.some((one) => one.port === number && one.protocol === protocol))
      target.push('ports', { port: number, protocol }, row.at)
    if (number !== undefined && port !== number)
      reporter.note(row.at, 'imports-port', { name: target.name, port: port ?? 0, target: number })
  }
  return undefined
}

/** The percentage below which one instance is removed, for a given upper percentage. */
const restOf = (percent: number): number => Math.max(1, Math.floor(percent / 2))

function putScaling({ fields, at: place, name }: Obj, drafts: ReadonlyMap<string, Draft>, tell: Reporter): void {
  const spec = fields.fields('spec')
  const target = spec?.fields('scaleTargetRef')
  target?.pass('apiVersion', 'kind')
  const draft = drafts.get(target?.text('name') ?? '')
  if (!spec || !draft) {
    fields.pass('spec')
    return tell.note(place, 'imports-unused', { kind: 'HorizontalPodAutoscaler', name: name.slice(0, 100) })
  }
  const reporter = tell.of(draft.name)
  const by: Record<string, unknown> = {}
  const add = (resource: string, percent: number | undefined) => {
    if (percent !== undefined) by[resource] = { out: Math.min(percent, 100), in: restOf(Math.min(percent, 100)) }
  }
  add('cpu', spec.figure('targetCPUUtilizationPercentage'))
  for (const row of spec.rows('metrics')) {
    row.usual('type', 'Resource')
    const resource = row.fields('resource')
    const metric = resource?.text('name')
    const wanted = resource?.fields('target')
    wanted?.usual('type', 'Utilization')
    if (metric === 'cpu' || metric === 'memory') add(metric, wanted?.figure('averageUtilization'))
  }
  reporter.note(place, 'imports-scaling', { name: draft.name })
  draft.put('autoscaling', { min: spec.figure('minReplicas') ?? 1, max: spec.figure('maxReplicas') ?? 1, ...by }, place)
  return undefined
}

/** The product itself gives a service of several instances a budget, which evicts one at a time. */
function passBudget({ fields, at: place, name }: Obj, named: Named, tell: Reporter): void {
  const spec = fields.fields('spec')
  const target = named(spec?.json('selector'))
  if (target === undefined)
    tell.note(place, 'imports-unused', { kind: 'PodDisruptionBudget', name: name.slice(0, 100) })
  spec?.pass('selector')
  spec?.usual('maxUnavailable', 1)
  spec?.usual('unhealthyPodEvictionPolicy', 'IfHealthyBudget')
}

/** Converts Kubernetes objects to services. */
export function readKubernetes(cells: readonly Cell[], tell: Reporter): Draft[] {
  const objects = objectsOf(cells, tell)
  const of = (...kinds: string[]) => objects.filter(({ kind }) => kinds.includes(kind))
  const sources = openSources(of('ConfigMap', 'Secret'), tell)
  const claims = new Map<string, Claim>()
  for (const { fields, name, at: place } of of('PersistentVolumeClaim')) {
    const spec = fields.fields('spec')
    claims.set(name, claimOf(name, spec, place))
    spec?.pass('volumeName')
  }
  const all = of(...Object.keys(workloads))
    .filter(({ isOwned }) => !isOwned)
    .map((object): Workloaded => ({
      object,
      draft: openDraft(object.name, object.at),
      podLabels: podLabelsOf(object),
    }))
  const named = finder(all)
  const drafts = new Map<string, Draft>()
  // claims that the product exported are named after the service that owns them
  for (const { draft } of all)
    for (const [name, claim] of claims)
      if (name.startsWith(`${draft.name}.`))
        claim.holder = { service: draft.name, volume: name.slice(draft.name.length + 1) }
  for (const { object, draft } of all) {
    const { fields, kind, isOwn } = object
    const reporter = tell.of(draft.name)
    const cluster: Cluster = { sources, claims, tell: reporter }
    if (drafts.has(draft.name)) {
      reporter.wrong(object.at, 'imports-service-twice', { name: draft.name.slice(0, 100) })
      continue
    }
    drafts.set(draft.name, draft)
    const spec = fields.fields('spec')
    const workload = workloads[kind]
    const templates = (spec?.rows('volumeClaimTemplates') ?? []).map((row) => {
      row.pass('apiVersion', 'kind', 'status')
      const meta = row.fields('metadata')
      if (isOwn) meta?.pass('labels')
      meta?.pass('creationTimestamp')
      return claimOf(meta?.text('name') ?? '', row.fields('spec'), row.at)
    })
    const template = spec && workload && putWorkload(draft, workload, spec, isOwn, reporter)
    if (!template) {
      reporter.wrong(object.at, 'imports-no-pod', { name: draft.name.slice(0, 100) })
      continue
    }
    if (kind === 'Job' || kind === 'CronJob') passRestart(template)
    putPod({ draft, template, templates, isOwn, named }, cluster)
    putBeyond(draft, object, reporter)
  }
  for (const object of objects) readOther(object, { named, drafts, claims, tell, sources })
  sources.tellUnused()
  for (const { name, at: place, holder } of claims.values())
    if (!holder) tell.note(place, 'imports-unused', { kind: 'PersistentVolumeClaim', name: name.slice(0, 100) })
  for (const { cell, name } of objects) reportUnread(cell, drafts.has(name) ? tell.of(name) : tell)
  return [...drafts.values()]
}

interface Others {
  named: Named
  drafts: Map<string, Draft>
  claims: ReadonlyMap<string, Claim>
  tell: Reporter
  sources: Cluster['sources']
}

function readOther(object: Obj, { named, drafts, tell, sources }: Others): void {
  const { kind, name, at: place, beyond, isOwn } = object
  // a Deployment, CronJob or Service creates this object again
  if (object.isOwned) return pass(object)
  if (kind in workloads || kind === 'ConfigMap' || kind === 'Secret' || kind === 'PersistentVolumeClaim') return
  if (beyond && isOwn) {
    const draft = openDraft(serviceIn(object), place)
    putBeyond(draft, object, tell.of(draft.name))
    drafts.set(draft.name, draft)
    return pass(object)
  }
  switch (kind) {
    case 'Service': {
      // part of an ingress or load balancer, which is read from its annotation
      if (isOwn && object.labels[labels.name] !== name) return pass(object)
      const draft = putAddress(object, named, drafts, tell)
      if (draft && !drafts.has(draft.name)) drafts.set(draft.name, draft)
      return undefined
    }
    case 'HorizontalPodAutoscaler':
      return putScaling(object, drafts, tell)
    case 'PodDisruptionBudget':
      return passBudget(object, named, tell)
    case 'Ingress': {
      if (isOwn) return pass(object)
      const draft = putIngress(object, sources, tell)
      if (draft && drafts.has(draft.name)) return tell.of(name).wrong(place, 'imports-service-twice', { name })
      if (draft) drafts.set(draft.name, draft)
      return undefined
    }
  }
  const phrase = own.has(kind) ? 'imports-kind-own' : alone.has(kind) ? 'imports-kind-alone' : 'imports-kind-none'
  if (!isOwn) tell.note(place, phrase, { kind: kind.slice(0, 60), name: name.slice(0, 100) })
  pass(object)
}

/** The service that an exported object belongs to. */
const serviceIn = ({ labels: found, name }: Obj): string => found[labels.name] ?? name

/** Marks everything in an object as taken. */
const pass = ({ cell }: Obj): void => {
  whole(cell)
}
