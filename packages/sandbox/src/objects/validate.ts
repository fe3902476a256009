import type { Kind } from './kinds.ts'
import { parseQuantity } from './quantity.ts'
import { sameValue } from './record.ts'
import { scheduleOf } from '../schedule.ts'
import { labelSelector } from './selectors.ts'
import { required, unsupported, wrong, type FieldError } from './status.ts'
import { clusterChanges, clusterChecks } from './validate-cluster.ts'
import { labelErrors, nameErrors } from './validate-names.ts'
import type * as t from './types.ts'
import type * as w from './workloads.ts'

function resourceErrors(resources: t.Resources | undefined, field: string): FieldError[] {
  const errors: FieldError[] = []
  for (const [name, amount] of Object.entries(resources?.requests ?? {})) {
    const limit = resources?.limits?.[name]
    const [request, most] = [parseQuantity(amount), limit === undefined ? undefined : parseQuantity(limit)]
    if (request && most && request.milli > most.milli)
      errors.push(wrong(`${field}.requests`, amount, `must be less than or equal to ${name} limit of ${limit}`))
  }
  return errors
}

function containerErrors(container: t.Container, field: string, volumes: Set<string>): FieldError[] {
  const errors: FieldError[] = []
  if (!container.name) errors.push(required(`${field}.name`))
  else errors.push(...nameErrors('label', container.name, `${field}.name`))
  if (!container.image) errors.push(required(`${field}.image`))
  for (const [n, port] of (container.ports ?? []).entries())
    if (!(port.containerPort >= 1 && port.containerPort <= 65535))
      errors.push(
        port.containerPort
          ? wrong(`${field}.ports[${n}].containerPort`, port.containerPort, 'must be between 1 and 65535, inclusive')
          : required(`${field}.ports[${n}].containerPort`),
      )
  for (const [n, variable] of (container.env ?? []).entries())
    if (!variable.name) errors.push(required(`${field}.env[${n}].name`))
  for (const [n, mount] of (container.volumeMounts ?? []).entries())
    if (!volumes.has(mount.name))
      errors.push({
        reason: 'FieldValueInvalid',
        field: `${field}.volumeMounts[${n}].name`,
        message: `Not found: "${mount.name}"`,
      })
  return [...errors, ...resourceErrors(container.resources, `${field}.resources`)]
}

/** `claimed`: volumes that each pod gets in addition to those of its specification. */
function podSpecErrors(spec: t.PodSpec, field: string, claimed: readonly string[] = []): FieldError[] {
  const errors: FieldError[] = []
  const volumes = new Set([...claimed, ...(spec.volumes ?? []).map((volume) => volume.name)])
  const seen = new Set<string>()
  if (!spec.containers || spec.containers.length === 0) errors.push(required(`${field}.containers`))
  for (const list of ['containers', 'initContainers'] as const)
    for (const [n, container] of (spec[list] ?? []).entries()) {
      errors.push(...containerErrors(container, `${field}.${list}[${n}]`, volumes))
      if (seen.has(container.name))
        errors.push({
          reason: 'FieldValueDuplicate',
          field: `${field}.${list}[${n}].name`,
          message: `Duplicate value: "${container.name}"`,
        })
      seen.add(container.name)
    }
  if (spec.restartPolicy && !['Always', 'OnFailure', 'Never'].includes(spec.restartPolicy))
    errors.push(unsupported(`${field}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']))
  return errors
}

interface Templated {
  spec: { selector: t.LabelSelector; template: t.PodTemplate; replicas?: number }
}

/** Errors in a workload's own fields; `policies` are the allowed restart policies of its pods. */
function workloadErrors({ spec }: Templated, policies: string[], claimed: readonly string[] = []): FieldError[] {
  const errors: FieldError[] = []
  if (spec.replicas !== undefined && spec.replicas < 0)
    errors.push(wrong('spec.replicas', spec.replicas, 'must be greater than or equal to 0'))
  if (!spec.selector) errors.push(required('spec.selector'))
  const labels = spec.template?.metadata?.labels
  if (spec.selector && !labelSelector(spec.selector)(labels))
    errors.push(wrong('spec.template.metadata.labels', labels ?? {}, '`selector` does not match template `labels`'))
  errors.push(...labelErrors(labels, 'spec.template.labels'))
  errors.push(...podSpecErrors(spec.template.spec, 'spec.template.spec', claimed))
  const policy = spec.template.spec.restartPolicy
  if (policy && !policies.includes(policy))
    errors.push(unsupported('spec.template.spec.restartPolicy', policy, policies))
  return errors
}

function cronJobErrors({ spec }: w.CronJob): FieldError[] {
  const errors: FieldError[] = []
  const policies = ['Allow', 'Forbid', 'Replace']
  if (!spec.schedule) errors.push(required('spec.schedule'))
  else if (!scheduleOf(spec.schedule, undefined)) errors.push(wrong('spec.schedule', spec.schedule, 'is no schedule'))
  else if (!scheduleOf(spec.schedule, spec.timeZone))
    errors.push(wrong('spec.timeZone', spec.timeZone ?? '', `unknown time zone ${spec.timeZone}`))
  if (!policies.includes(spec.concurrencyPolicy))
    errors.push(unsupported('spec.concurrencyPolicy', spec.concurrencyPolicy, policies))
  const pod = spec.jobTemplate.spec.template.spec
  errors.push(...podSpecErrors(pod, 'spec.jobTemplate.spec.template.spec', []))
  const ends = ['OnFailure', 'Never']
  if (pod.restartPolicy && !ends.includes(pod.restartPolicy))
    errors.push(unsupported('spec.jobTemplate.spec.template.spec.restartPolicy', pod.restartPolicy, ends))
  return errors
}

function serviceErrors({ spec }: t.Service): FieldError[] {
  const errors: FieldError[] = []
  const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
  if (!types.includes(spec.type)) errors.push(unsupported('spec.type', spec.type, types))
  const ports = spec.ports ?? []
  if (ports.length === 0 && spec.type !== 'ExternalName' && spec.clusterIP !== 'None')
    errors.push(required('spec.ports'))
  for (const [n, port] of ports.entries()) {
    if (!(port.port >= 1 && port.port <= 65535))
      errors.push(wrong(`spec.ports[${n}].port`, port.port ?? 0, 'must be between 1 and 65535, inclusive'))
    if (ports.length > 1 && !port.name) errors.push(required(`spec.ports[${n}].name`))
    const twin = ports.findIndex((other) => other.port === port.port && other.protocol === port.protocol)
    if (twin < n)
      errors.push({
        reason: 'FieldValueDuplicate',
        field: `spec.ports[${n}]`,
        message: `Duplicate value: ${JSON.stringify({ protocol: port.protocol, port: port.port })}`,
      })
  }
  return errors
}

const always = ['Always']
const checks: Record<string, (object: never) => FieldError[]> = {
  pods: (pod: t.Pod) => podSpecErrors(pod.spec, 'spec'),
  services: serviceErrors,
  configmaps: ({ data }: t.ConfigMap) =>
    Object.keys(data ?? {})
      .filter((key) => !/^[-\w.]{1,253}$/.test(key))
      .map((key) =>
        wrong(
          `data[${key}]`,
          key,
          `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
        ),
      ),
  'deployments.apps': (one: w.Deployment) => workloadErrors(one, always),
  'replicasets.apps': (one: w.ReplicaSet) => workloadErrors(one, always),
  'statefulsets.apps': (one: w.StatefulSet) =>
    workloadErrors(
      one,
      always,
      (one.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
    ),
  'daemonsets.apps': (one: w.DaemonSet) => workloadErrors(one, always),
  'jobs.batch': (one: w.Job) => workloadErrors(one, ['OnFailure', 'Never']),
  'cronjobs.batch': cronJobErrors,
  'poddisruptionbudgets.policy': ({ spec }: w.DisruptionBudget) =>
    spec.minAvailable !== undefined && spec.maxUnavailable !== undefined
      ? [wrong('spec', spec, 'minAvailable and maxUnavailable cannot be both set')]
      : [],
  ...clusterChecks,
  'rolebindings.rbac.authorization.k8s.io': bindingErrors,
  'clusterrolebindings.rbac.authorization.k8s.io': bindingErrors,
}

function bindingErrors({ roleRef, subjects }: t.RoleBinding): FieldError[] {
  const errors: FieldError[] = []
  const roles = ['ClusterRole', 'Role']
  if (!roles.includes(roleRef?.kind)) errors.push(unsupported('roleRef.kind', roleRef?.kind ?? '', roles))
  if (!roleRef?.name) errors.push(required('roleRef.name'))
  for (const [n, subject] of (subjects ?? []).entries()) if (!subject.name) errors.push(required(`subjects[${n}].name`))
  return errors
}

/** The errors of an object that is about to be stored. */
export function errorsOf(kind: Kind, object: t.Obj): FieldError[] {
  const { name, labels } = object.metadata
  const errors = name
    ? nameErrors(kind.nameRule, name, 'metadata.name')
    : [required('metadata.name', 'name or generateName is required')]
  errors.push(...labelErrors(labels, 'metadata.labels'))
  const check = checks[kind.resource] as ((object: t.Obj) => FieldError[]) | undefined
  return [...errors, ...(check?.(object) ?? [])]
}

const fixed: Record<string, string[]> = {
  'deployments.apps': ['selector'],
  'replicasets.apps': ['selector'],
  'daemonsets.apps': ['selector'],
  'jobs.batch': ['selector', 'template', 'completions', 'completionMode'],
}

function finalizerErrors({ metadata: was }: t.Obj, { metadata: is }: t.Obj): FieldError[] {
  const added = (is.finalizers ?? []).filter((one) => !was.finalizers?.includes(one))
  if (!was.deletionTimestamp || added.length === 0) return []
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((one) => `"${one}"`).join(', ')}}`
  return [{ reason: 'FieldValueForbidden', field: 'metadata.finalizers', message }]
}

/** What an update may not change. */
export function changeErrors(kind: Kind, old: t.Obj, next: t.Obj): FieldError[] {
  const errors = [...finalizerErrors(old, next), ...clusterChanges(kind, old, next)]
  const [before, after] = [(old.spec ?? {}) as Record<string, unknown>, (next.spec ?? {}) as Record<string, unknown>]
  for (const field of fixed[kind.resource] ?? [])
    if (!sameValue(before[field], after[field]))
      errors.push(wrong(`spec.${field}`, after[field] ?? null, 'field is immutable'))
  if (kind.resource === 'pods' && !sameValue(fixedPart(old as t.Pod), fixedPart(next as t.Pod)))
    errors.push({
      reason: 'FieldValueForbidden',
      field: 'spec',
      message:
        'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
    })
  if (kind.resource === 'statefulsets.apps') {
    const free = new Set([
      'replicas',
      'ordinals',
      'template',
      'updateStrategy',
      'revisionHistoryLimit',
      'minReadySeconds',
    ])
    free.add('persistentVolumeClaimRetentionPolicy')
    const rest = (spec: Record<string, unknown>) => Object.entries(spec).filter(([field]) => !free.has(field))
    if (!sameValue(Object.fromEntries(rest(before)), Object.fromEntries(rest(after))))
      errors.push({
        reason: 'FieldValueForbidden',
        field: 'spec',
        message: `Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`,
      })
  }
  if (kind.resource === 'services') {
    const [was, is] = [before['clusterIP'], after['clusterIP']]
    if (was && was !== is && before['type'] !== 'ExternalName' && after['type'] !== 'ExternalName')
      errors.push(wrong('spec.clusterIPs[0]', [is ?? ''], 'may not change once set'))
  }
  if (kind.plural.endsWith('rolebindings')) {
    const [was, is] = [(old as t.RoleBinding).roleRef, (next as t.RoleBinding).roleRef]
    if (!sameValue(was, is)) errors.push(wrong('roleRef', is, 'cannot change roleRef'))
  }
  if (kind.resource === 'configmaps' || kind.resource === 'secrets') {
    const [was, is] = [old as t.ConfigMap, next as t.ConfigMap]
    if (was.immutable && !sameValue(was.data, is.data))
      errors.push({
        reason: 'FieldValueForbidden',
        field: 'data',
        message: 'Forbidden: field is immutable when `immutable` is set',
      })
    if (kind.resource === 'secrets' && (old as t.Secret).type !== (next as t.Secret).type)
      errors.push(wrong('type', (next as t.Secret).type, 'field is immutable'))
  }
  return errors
}

/** Errors in ephemeral containers: an existing one may not be removed or changed. */
export function ephemeralErrors(old: t.Pod, next: t.Pod): FieldError[] {
  const [before, after] = [old.spec.ephemeralContainers ?? [], next.spec.ephemeralContainers ?? []]
  const field = 'spec.ephemeralContainers'
  const errors: FieldError[] = []
  for (const one of before) {
    const kept = after.find(({ name }) => name === one.name)
    if (!kept)
      errors.push({
        reason: 'FieldValueForbidden',
        field,
        message: `Forbidden: existing ephemeral containers "${one.name}" may not be removed\n`,
      })
    else if (!sameValue(kept, one))
      errors.push({
        reason: 'FieldValueForbidden',
        field,
        message: `Forbidden: existing ephemeral containers "${one.name}" may not be changed\n`,
      })
  }
  const all = [...next.spec.containers, ...(next.spec.initContainers ?? [])]
  for (const [n, { name, targetContainerName: target }] of after.entries()) {
    const isTaken = all.some((one) => one.name === name) || after.slice(0, n).some((one) => one.name === name)
    if (isTaken)
      errors.push({
        reason: 'FieldValueDuplicate',
        field: `${field}[${n}].name`,
        message: `Duplicate value: "${name}"`,
      })
    if (target && !all.some((one) => one.name === target))
      errors.push({
        reason: 'FieldValueNotFound',
        field: `${field}[${n}].targetContainerName`,
        message: `Not found: "${target}"`,
      })
  }
  return errors
}

function fixedPart(pod: t.Pod): unknown {
  const plain = (container: t.Container): unknown => ({ ...container, image: '' })
  const { activeDeadlineSeconds: _, tolerations: __, ...spec } = pod.spec
  return { ...spec, containers: spec.containers.map(plain), initContainers: (spec.initContainers ?? []).map(plain) }
}
