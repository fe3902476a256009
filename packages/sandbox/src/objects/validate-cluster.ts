import type { Kind } from './kinds.ts'
import type { Node } from './nodes.ts'
import { parseQuantity } from './quantity.ts'
import { sameValue } from './record.ts'
import { required, unsupported, wrong, type FieldError } from './status.ts'
import type { Claim, PersistentVolume, StorageClass } from './storage.ts'
import type { Obj } from './types.ts'
import { labelValue, nameErrors, qualified, says } from './validate-names.ts'

/** Validation of nodes, storage, and the classes of storage and ingress. */

const forbidden = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${detail}`,
  field,
})
const immutable = (field: string, value: unknown): FieldError => wrong(field, value, 'field is immutable')

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

function nodeErrors({ spec }: Node): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [n, { key, value = '', effect, timeAdded }] of (spec.taints ?? []).entries()) {
    const field = `metadata.taints[${n}]`
    if (!qualified.test(key)) errors.push(wrong(`${field}.key`, key, says.key))
    if (!labelValue.test(value)) errors.push(wrong(`${field}.value`, value, says.value))
    if (!effect) errors.push(required(`${field}.effect`))
    else if (!effects.includes(effect)) errors.push(unsupported(`${field}.effect`, effect, effects))
    const taint = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null }
    if (seen.has(`${key} ${effect}`))
      errors.push({
        reason: 'FieldValueDuplicate',
        message: `Duplicate value: ${JSON.stringify(taint)}: taints must be unique by key and effect pair`,
        field,
      })
    seen.add(`${key} ${effect}`)
  }
  return errors
}

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

function modeErrors(given: string[] | undefined, detail = ''): FieldError[] {
  if (!given?.length) return [required('spec.accessModes', detail)]
  const errors = given
    .filter((mode) => !modes.includes(mode))
    .map((mode) => unsupported('spec.accessModes', mode, modes))
  if (given.length > 1 && given.includes('ReadWriteOncePod'))
    errors.push(forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes'))
  return errors
}

function sizeErrors(text: string, field: string): FieldError[] {
  const milli = parseQuantity(text)?.milli ?? 0n
  const errors = milli < 0n ? [wrong(field, Number(milli / 1000n), 'must be a valid resource quantity')] : []
  return milli <= 0n ? [...errors, wrong(field, text, 'must be greater than zero')] : errors
}

function capacityErrors(capacity: PersistentVolume['spec']['capacity']): FieldError[] {
  const errors: FieldError[] = []
  const names = Object.keys(capacity ?? {})
  if (names.length === 0) errors.push(required('spec.capacity'))
  if (names.length !== 1 || names[0] !== 'storage') {
    const message = `Unsupported value: ${JSON.stringify(capacity ?? null)}: supported values: "storage"`
    errors.push({ reason: 'FieldValueNotSupported', message, field: 'spec.capacity' })
  }
  for (const [name, text] of Object.entries(capacity ?? {})) errors.push(...sizeErrors(text, `spec.capacity[${name}]`))
  return errors
}

const plain = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
])
/** The source of a volume: the fields of its specification that are nothing else. */
const sources = (spec: object): [string, unknown][] =>
  Object.entries(spec)
    .filter(([field]) => !plain.has(field))
    .sort(([a], [b]) => (a < b ? -1 : 1))

function pathErrors(path: string, field: string): FieldError[] {
  if (!path) return [required(field)]
  return path.split('/').includes('..') ? [wrong(field, path, "must not contain '..'")] : []
}

function sourceErrors({ hostPath, local, nfs, ...rest }: PersistentVolume['spec']): FieldError[] {
  const errors: FieldError[] = []
  const given = sources({ hostPath, local, nfs, ...rest }).filter(([, value]) => value !== undefined)
  if (given.length === 0) return [required('spec', 'must specify a volume type')]
  for (const [name] of given.slice(1)) errors.push(forbidden(`spec.${name}`, 'may not specify more than 1 volume type'))
  if (errors.length > 0) return errors
  if (hostPath) errors.push(...pathErrors(hostPath.path, 'spec.hostPath.path'))
  if (nfs && !nfs.server) errors.push(required('spec.nfs.server'))
  if (nfs && !nfs.path) errors.push(required('spec.nfs.path'))
  else if (nfs && !nfs.path.startsWith('/')) errors.push(wrong('spec.nfs.path', nfs.path, 'must be an absolute path'))
  if (local) errors.push(...pathErrors(local.path, 'spec.local.path'))
  if (local && !rest.nodeAffinity) errors.push(required('spec.nodeAffinity', 'Local volume requires node affinity'))
  return errors
}

const policies = ['Delete', 'Recycle', 'Retain']

function volumeErrors({ spec }: PersistentVolume): FieldError[] {
  const errors = [...modeErrors(spec.accessModes), ...capacityErrors(spec.capacity)]
  const policy = spec.persistentVolumeReclaimPolicy ?? ''
  if (!policies.includes(policy)) errors.push(unsupported('spec.persistentVolumeReclaimPolicy', policy, policies))
  errors.push(...sourceErrors(spec))
  if (spec.hostPath?.path === '/' && policy === 'Recycle')
    errors.push(forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'"))
  return [...errors, ...classErrors(spec.storageClassName)]
}

const classErrors = (name: string | undefined): FieldError[] =>
  name ? nameErrors('subdomain', name, 'spec.storageClassName') : []

function claimErrors({ spec }: Claim): FieldError[] {
  const size = spec.resources?.requests?.['storage']
  const field = 'spec.resources[storage]'
  return [
    ...modeErrors(spec.accessModes, 'at least 1 access mode is required'),
    ...(size === undefined ? [required(field)] : sizeErrors(size, field)),
    ...classErrors(spec.storageClassName),
  ]
}

function storageErrors({
  provisioner,
  parameters,
  reclaimPolicy = '',
  volumeBindingMode = '',
}: StorageClass): FieldError[] {
  const errors: FieldError[] = []
  if (!provisioner) errors.push(required('provisioner'))
  else if (!qualified.test(provisioner.toLowerCase())) errors.push(wrong('provisioner', provisioner, says.key))
  if (Object.keys(parameters ?? {}).includes('')) errors.push(wrong('parameters', '', 'field can not be empty.'))
  const allowed = ['Delete', 'Retain']
  if (!allowed.includes(reclaimPolicy)) errors.push(unsupported('reclaimPolicy', reclaimPolicy, allowed))
  const times = ['Immediate', 'WaitForFirstConsumer']
  if (!times.includes(volumeBindingMode)) errors.push(unsupported('volumeBindingMode', volumeBindingMode, times))
  return errors
}

interface IngressClass extends Obj {
  spec: { controller?: string }
}

function ingressClassErrors({ spec }: IngressClass): FieldError[] {
  const { controller = '' } = spec
  const field = 'spec.controller'
  if (controller === '') return [required(field)]
  const slash = controller.indexOf('/')
  if (slash <= 0) return [wrong(field, controller, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  const rest = controller.slice(slash + 1)
  const pattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"
  return /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest)
    ? []
    : [wrong(field, rest, `Invalid path (regex used for validation is '${pattern}')`)]
}

export const clusterChecks: Record<string, (object: never) => FieldError[]> = {
  nodes: nodeErrors,
  persistentvolumes: volumeErrors,
  persistentvolumeclaims: claimErrors,
  'storageclasses.storage.k8s.io': storageErrors,
  'ingressclasses.networking.k8s.io': ingressClassErrors,
}

function volumeChanges({ spec: was }: PersistentVolume, { spec: is }: PersistentVolume): FieldError[] {
  const errors: FieldError[] = []
  const why = 'spec.persistentvolumesource is immutable after creation'
  if (!sameValue(sources(was), sources(is))) errors.push(forbidden('spec.persistentvolumesource', why))
  if (was.volumeMode !== is.volumeMode) errors.push(immutable('volumeMode', is.volumeMode))
  return errors
}

/** The volume's name may be set once; a bound claim may request more storage. */
function claimChanges({ spec: was, status }: Claim, { spec: is }: Claim): FieldError[] {
  const fixed = ({ resources, volumeName, ...rest }: Claim['spec']): unknown => ({
    ...rest,
    limits: resources?.limits,
    volumeName: was.volumeName === undefined ? undefined : volumeName,
    storage: status.phase === 'Bound' ? undefined : resources?.requests?.['storage'],
  })
  if (!sameValue(fixed(was), fixed(is)))
    return [
      forbidden(
        'spec',
        'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
      ),
    ]
  const size = (spec: Claim['spec']): bigint => parseQuantity(spec.resources?.requests?.['storage'] ?? '0')?.milli ?? 0n
  return size(is) < size(was)
    ? [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')]
    : []
}

function storageChanges(was: StorageClass, is: StorageClass): FieldError[] {
  const errors: FieldError[] = []
  for (const field of ['provisioner', 'parameters', 'reclaimPolicy'] as const)
    if (!sameValue(was[field], is[field])) errors.push(forbidden(field, `updates to ${field} are forbidden.`))
  if (was.volumeBindingMode !== is.volumeBindingMode) errors.push(immutable('volumeBindingMode', is.volumeBindingMode))
  return errors
}

/** Fields of these kinds that an update may not change. */
export function clusterChanges({ resource }: Kind, old: Obj, next: Obj): FieldError[] {
  switch (resource) {
    case 'persistentvolumes':
      return volumeChanges(old as PersistentVolume, next as PersistentVolume)
    case 'persistentvolumeclaims':
      return claimChanges(old as Claim, next as Claim)
    case 'storageclasses.storage.k8s.io':
      return storageChanges(old as StorageClass, next as StorageClass)
    case 'ingressclasses.networking.k8s.io': {
      const { controller } = (next as IngressClass).spec
      return (old as IngressClass).spec.controller === controller ? [] : [immutable('spec.controller', controller)]
    }
    default:
      return []
  }
}
