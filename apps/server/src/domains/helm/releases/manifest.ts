import type { Finding, ObjectChange, ReleaseObject } from '@gantry/contract/helm/releases'
import { folderClaims } from '@gantry/contract/stacks/spec-storage'
import { mask } from '@gantry/contract/validators'
import { CORE_SCHEMA, dump, loadAll } from 'js-yaml'
import type { z } from 'zod'
import { bytes, milliCores } from '../../../adapters/kube/rows/quantity.ts'
import { Fault } from '../../../kernel/fault.ts'
import { isClusterWide, teamKind } from './kinds.ts'

/** A part of somebody else's document: any field may be missing. */
type Json = Record<string, unknown>
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const within = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value)
const textAt = (value: unknown, ...path: string[]): string => {
  const found = within(value, ...path)
  return typeof found === 'string' ? found : ''
}
const recordsAt = (value: unknown, ...path: string[]): Json[] => {
  const found = within(value, ...path)
  return Array.isArray(found) ? found.filter(isRecord) : []
}

export type Reference = z.infer<typeof ReleaseObject>

export interface ManifestObject extends Reference {
  object: Json
}

const maxBytes = 4 * 1_048_576

/** The objects of a manifest as helm renders it; a List is expanded. */
export function objectsOf(manifest: string, namespace: string): ManifestObject[] {
  if (manifest.length > maxBytes) throw new Fault('invalid', 'helm-manifest-too-large')
  let documents: unknown[]
  try {
    documents = loadAll(manifest, { schema: CORE_SCHEMA })
  } catch (error) {
    throw new Fault('invalid', 'helm-manifest-invalid', { problem: error instanceof Error ? error.message : '' })
  }
  const flat = documents.flatMap((one) => (textAt(one, 'kind').endsWith('List') ? recordsAt(one, 'items') : [one]))
  return flat.filter(isRecord).flatMap((object) => {
    const kind = textAt(object, 'kind')
    if (kind === '') return []
    const reference = {
      kind,
      apiVersion: textAt(object, 'apiVersion'),
      name: textAt(object, 'metadata', 'name'),
      namespace:
        textAt(object, 'metadata', 'namespace') ||
        (isClusterWide(kind) || kind === 'CustomResourceDefinition' ? '' : namespace),
    }
    return [{ ...reference, object }]
  })
}

const refOf = ({ kind, apiVersion, namespace, name }: Reference): Reference => ({ kind, apiVersion, namespace, name })

/** Without the version of the API, which may change between releases of the same object. */
const keyOf = ({ kind, apiVersion, namespace, name }: Reference): string =>
  JSON.stringify([apiVersion.includes('/') ? apiVersion.split('/')[0] : '', kind, namespace, name])

function masked({ kind, object }: ManifestObject): Json {
  if (kind !== 'Secret') return object
  const hidden = (part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.keys(part).map((key) => [key, mask])) : part
  return {
    ...object,
    ...('data' in object && { data: hidden(object['data']) }),
    ...('stringData' in object && { stringData: hidden(object['stringData']) }),
  }
}

/** An object as YAML, secret values masked. */
export const yamlOf = (one: ManifestObject): string => dump(masked(one), { lineWidth: 120, noRefs: true })

/** A manifest as YAML, secret values masked. */
export const maskedManifest = (manifest: string, namespace: string): string =>
  objectsOf(manifest, namespace).map(yamlOf).join('---\n')

/** Objects that another manifest adds, changes and removes. */
export function changesBetween(before: readonly ManifestObject[], after: readonly ManifestObject[]): ObjectChange[] {
  const old = new Map(before.map((one) => [keyOf(one), one]))
  const kept = new Set(after.map(keyOf))
  const now = after.map((one): ObjectChange => {
    const was = old.get(keyOf(one))
    const same = was !== undefined && JSON.stringify(sorted(was.object)) === JSON.stringify(sorted(one.object))
    return {
      ...refOf(one),
      change: was === undefined ? 'added' : same ? 'same' : 'changed',
      before: was === undefined ? '' : yamlOf(was),
      after: yamlOf(one),
    }
  })
  const gone = before
    .filter((one) => !kept.has(keyOf(one)))
    .map((one): ObjectChange => ({ ...refOf(one), change: 'removed', before: yamlOf(one), after: '' }))
  return [...now, ...gone]
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}

/** The pod specification of an object, and how many pods it starts. */
function podsOf({ kind, object }: ManifestObject): { spec: unknown; template: unknown; count: number } | undefined {
  const count = (path: string, none: number): number => {
    const given = within(object, 'spec', path)
    return typeof given === 'number' ? given : none
  }
  switch (kind) {
    case 'Pod':
      return { spec: object['spec'], template: object, count: 1 }
    case 'Deployment':
    case 'StatefulSet':
    case 'ReplicaSet':
      return { ...templateOf(object), count: count('replicas', 1) }
    case 'DaemonSet':
      return { ...templateOf(object), count: 1 }
    case 'Job':
      return { ...templateOf(object), count: count('parallelism', 1) }
    case 'CronJob':
      return { ...templateOf(within(object, 'spec', 'jobTemplate')), count: 1 }
    default:
      return undefined
  }
}

const templateOf = (object: unknown) => {
  const template = within(object, 'spec', 'template')
  return { spec: within(template, 'spec'), template }
}

const containersOf = (spec: unknown): Json[] => [
  ...recordsAt(spec, 'initContainers'),
  ...recordsAt(spec, 'containers'),
  ...recordsAt(spec, 'ephemeralContainers'),
]

/** Capabilities that Pod Security's level `baseline` allows. */
const harmless = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
)

/** Whether Pod Security's level `baseline` would refuse the pods. */
function isPrivileged(spec: unknown): boolean {
  const volumes = recordsAt(spec, 'volumes')
  return (
    ['hostNetwork', 'hostPID', 'hostIPC'].some((key) => within(spec, key) === true) ||
    volumes.some((volume) => 'hostPath' in volume) ||
    within(spec, 'securityContext', 'windowsOptions', 'hostProcess') === true ||
    containersOf(spec).some((container) => {
      const added = within(container, 'securityContext', 'capabilities', 'add')
      return (
        within(container, 'securityContext', 'privileged') === true ||
        (Array.isArray(added) && added.some((one) => !harmless.has(String(one)))) ||
        !['', 'Default'].includes(textAt(container, 'securityContext', 'procMount')) ||
        recordsAt(container, 'ports').some(({ hostPort }) => typeof hostPort === 'number' && hostPort > 0)
      )
    })
  )
}

/** Every image named anywhere in the objects, because custom resources start pods too. */
export function imagesOf(objects: readonly ManifestObject[]): string[] {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look)
    else if (isRecord(value))
      for (const [key, below] of Object.entries(value))
        if (key !== 'image' || typeof below !== 'string') look(below)
        else found.add(below)
  }
  for (const { object } of objects) look(object['spec'])
  return [...found]
}

const carriesOurLabels = (part: unknown): boolean =>
  Object.keys(within(part, 'metadata', 'labels') ?? {}).some((key) => key.startsWith('gantry.dev/'))

/** Whether pods use a folder of the hosts, which the team may be allowed only to read. */
const hasFolder = (spec: unknown): boolean =>
  recordsAt(spec, 'volumes').some((volume) =>
    textAt(volume, 'persistentVolumeClaim', 'claimName').startsWith(folderClaims),
  )

/** Objects that the platform itself creates in every namespace of a stack. */
const isReserved = (one: ManifestObject, pods: ReturnType<typeof podsOf>): boolean =>
  one.name.startsWith('gantry-') ||
  carriesOurLabels(one.object) ||
  carriesOurLabels(pods?.template) ||
  hasFolder(pods?.spec)

/** Why only an administrator may deploy an object; undefined if everybody may. */
function reasonAgainst(one: ManifestObject, namespace: string): Finding['reason'] | undefined {
  if (one.kind === 'CustomResourceDefinition') return 'definition'
  if (isClusterWide(one.kind)) return 'cluster-wide'
  if (one.namespace !== namespace) return 'foreign-namespace'
  if (teamKind(one) === undefined) return 'not-allowed'
  const pods = podsOf(one)
  if (isReserved(one, pods)) return 'reserved'
  return pods && isPrivileged(pods.spec) ? 'privileged' : undefined
}

/** Objects of a manifest that only an administrator may deploy, and the definitions beside the chart's templates. */
export function findingsIn(
  objects: readonly ManifestObject[],
  namespace: string,
  definitions: readonly string[] = [],
): Finding[] {
  const found = objects.flatMap((one): Finding[] => {
    const reason = reasonAgainst(one, namespace)
    return reason === undefined ? [] : [{ ...refOf(one), reason }]
  })
  const brought = definitions.map((name): Finding => ({
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    namespace: '',
    name,
    reason: 'definition',
  }))
  return [...brought, ...found]
}

/** Limits of containers without limits, because a namespace with a quota requires them. */
export const defaultLimits = { cpu: '500m', memory: '512Mi' } as const
const gib = 2 ** 30

/** Cores and GiB that the pods of these objects use at most. */
export function demandOf(objects: readonly ManifestObject[]): { cpu: number; memory: number } {
  const total = { cpu: 0, memory: 0 }
  for (const one of objects) {
    const pods = podsOf(one)
    if (!pods) continue
    for (const container of recordsAt(pods.spec, 'containers')) {
      const limits = within(container, 'resources', 'limits')
      total.cpu += (pods.count * milliCores(within(limits, 'cpu') ?? defaultLimits.cpu)) / 1000
      total.memory += (pods.count * bytes(within(limits, 'memory') ?? defaultLimits.memory)) / gib
    }
  }
  return total
}
