import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { FieldDrift } from './differences.ts'

type Container = Pick<ServiceSpec, 'image' | 'command' | 'arguments' | 'environment' | 'resources'>

const amounts: Readonly<Record<string, keyof ServiceSpec['resources']>> = {
  'limits.cpu': 'cpu',
  'limits.memory': 'memory',
  'requests.cpu': 'cpuRequest',
  'requests.memory': 'memoryRequest',
}

const isText = (value: unknown): value is string => typeof value === 'string'
const texts = (value: unknown): string[] | undefined =>
  value === undefined ? [] : Array.isArray(value) && value.every(isText) ? value : undefined
const inBrackets = (part = ''): string | undefined => /^\[(.*)\]$/.exec(part)?.[1]

/** A container with a variable as it is in the cluster; undefined if a document cannot express it. */
function withVariable(container: Container, [name, ...rest]: readonly string[], live: unknown): Container | undefined {
  const own = inBrackets(name)
  if (own === undefined) return undefined
  const known = container.environment.find((one) => one.name === own)
  const given = rest.length === 0 ? (live as { value?: unknown } | undefined)?.value : live
  const isPlain = rest.length === 0 || (rest.length === 1 && rest[0] === 'value')
  if (!isPlain || known?.secret) return undefined
  if (live === undefined) {
    // the variable was removed, or its value is empty
    const environment = container.environment.filter((one) => one !== known)
    return { ...container, environment }
  }
  if (!isText(given)) return undefined
  const changed = { name: own, value: given, secret: false }
  return known
    ? { ...container, environment: container.environment.map((one) => (one === known ? changed : one)) }
    : { ...container, environment: [...container.environment, changed] }
}

function withField(container: Container, [field, ...rest]: readonly string[], live: unknown): Container | undefined {
  if (field === 'image' && isText(live)) return { ...container, image: live }
  if (field === 'env') return withVariable(container, rest, live)
  const amount = field === 'resources' ? amounts[rest.join('.')] : undefined
  if (amount && (isText(live) || typeof live === 'number'))
    return { ...container, resources: { ...container.resources, [amount]: String(live) } }
  const words = rest.length === 0 ? texts(live) : undefined
  if (field === 'command' && words) return { ...container, command: words }
  if (field === 'args' && words) return { ...container, arguments: words }
  return undefined
}

/** Annotations and labels of pods. */
function withNote(spec: ServiceSpec, [kind, key, ...more]: readonly string[], live: unknown): ServiceSpec | undefined {
  if ((kind !== 'labels' && kind !== 'annotations') || key === undefined || more.length > 0) return undefined
  const others = (spec[kind] ?? []).filter((one) => one.key !== key)
  if (live === undefined) return { ...spec, [kind]: others }
  return isText(live) ? { ...spec, [kind]: [...others, { key, value: live }] } : undefined
}

/** A service's document with a change of its workload applied; undefined if the document cannot express it. */
export function withDrift(name: string, spec: ServiceSpec, { path, live }: FieldDrift): ServiceSpec | undefined {
  const text = path.join('.')
  // with active autoscaling, no document determines the number
  const isScaled = spec.autoscaling !== undefined && !spec.autoscaling.paused
  if (text === 'spec.replicas' && typeof live === 'number') return isScaled ? undefined : { ...spec, replicas: live }
  if (spec.schedule && text === 'spec.schedule' && isText(live))
    return { ...spec, schedule: { ...spec.schedule, cron: live } }
  if (spec.schedule && text === 'spec.suspend' && typeof live === 'boolean')
    return { ...spec, schedule: { ...spec.schedule, paused: live } }
  const template = path.slice(path.indexOf('template') + 1)
  if (!path.includes('template')) return undefined
  const [part, list, item, ...field] = template
  if (part === 'metadata') return withNote(spec, template.slice(1), live)
  if (part !== 'spec' || (list !== 'containers' && list !== 'initContainers') || field.length === 0) return undefined
  const container = inBrackets(item)
  if (list === 'containers' && container === name) {
    const changed = withField(spec, field, live)
    return changed && { ...spec, ...changed }
  }
  const extra = spec.containers?.find((one) => one.name === container)
  const changed = extra && withField(extra, field, live)
  return (
    changed && {
      ...spec,
      containers: (spec.containers ?? []).map((one) => (one === extra ? { ...one, ...changed } : one)),
    }
  )
}
