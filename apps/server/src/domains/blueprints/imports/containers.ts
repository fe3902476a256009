import { drainSeconds, type Timing, usualTiming } from '@gantry/contract/stacks/usual'
import { memoryText, resourcesFrom } from './amounts.ts'
import { type Draft, type Fields, fieldsOf } from './fields.ts'
import type { Sources } from './sources.ts'
import type { Reporter } from './telling.ts'

/** Accepts the defaults of a container. Any pull policy will do, because the image is pinned. */
export function passUsual(container: Fields): void {
  container.usual('imagePullPolicy', 'IfNotPresent', 'Always')
  container.usual('terminationMessagePath', '/dev/termination-log')
  container.usual('terminationMessagePolicy', 'File')
  container.usual('stdin', false)
  container.usual('tty', false)
}

interface Variable {
  name: string
  value: string
  secret: boolean
  at: number
}

/** A variable whose value comes from a ConfigMap or Secret of the text. */
function valueFrom(name: string, from: Fields, sources: Sources, tell: Reporter, at: number): Variable | undefined {
  for (const [ref, kind] of [
    ['secretKeyRef', 'Secret'],
    ['configMapKeyRef', 'ConfigMap'],
  ] as const) {
    const found = from.fields(ref)
    if (!found) continue
    const object = found.text('name') ?? ''
    const key = found.text('key') ?? ''
    found.usual('optional', false)
    const value = sources.value(kind, object, key)
    const secret = kind === 'Secret'
    if (value !== undefined) return { name, value, secret, at }
    if (secret) tell.note(at, 'imports-secret-empty', { name })
    else tell.note(at, 'imports-not-in-text', { kind, name: object.slice(0, 100) })
    return secret ? { name, value: '', secret, at } : undefined
  }
  return undefined
}

/** The variables of a container; `env` takes precedence over `envFrom`. */
export function environmentOf(container: Fields, sources: Sources, tell: Reporter): Variable[] {
  const variables = new Map<string, Variable>()
  for (const row of container.rows('envFrom')) {
    const prefix = row.text('prefix') ?? ''
    for (const [ref, kind] of [
      ['configMapRef', 'ConfigMap'],
      ['secretRef', 'Secret'],
    ] as const) {
      const found = row.fields(ref)
      if (!found) continue
      const object = found.text('name') ?? ''
      found.usual('optional', false)
      const values = sources.values(kind, object)
      if (!values) tell.note(row.at, 'imports-not-in-text', { kind, name: object.slice(0, 100) })
      for (const [key, value] of values ?? [])
        variables.set(prefix + key, { name: prefix + key, value, secret: kind === 'Secret', at: row.at })
    }
  }
  for (const row of container.rows('env')) {
    const name = row.text('name') ?? ''
    const from = row.fields('valueFrom')
    const found = from
      ? valueFrom(name, from, sources, tell, row.at)
      : { name, value: row.text('value') ?? '', secret: false, at: row.at }
    row.pass('value')
    if (found) variables.set(name, found)
  }
  return [...variables.values()]
}

export function resourcesOf(
  container: Fields,
  tell: Reporter,
): { resources: Record<string, string>; gpu: number | undefined } {
  const all = container.fields('resources')
  const [limits, requests] = [all?.fields('limits'), all?.fields('requests')]
  const amounts = (of: Fields | undefined) => {
    const memory = of?.text('memory')
    return { cpu: of?.text('cpu'), memory: memory === undefined ? undefined : memoryText(memory) }
  }
  const gpu = limits?.figure('nvidia.com/gpu')
  if (gpu !== undefined) requests?.usual('nvidia.com/gpu', gpu, String(gpu))
  const at = container.place('resources')
  const wanted = { limits: amounts(limits), requests: amounts(requests) }
  return { resources: resourcesFrom(wanted, (key, vars) => tell.note(at, key, vars)), gpu }
}

/** The ports of a container, with their names. */
export interface Ports {
  list: { port: number; protocol: string; at: number }[]
  named: Map<string, number>
}

export function portsOf(container: Fields, tell: Reporter): Ports {
  const ports: Ports = { list: [], named: new Map() }
  for (const row of container.rows('ports')) {
    const port = row.figure('containerPort')
    const protocol = row.text('protocol') ?? 'TCP'
    const name = row.text('name')
    if (port === undefined) continue
    if (name !== undefined) ports.named.set(name, port)
    if (protocol === 'SCTP') tell.note(row.at, 'imports-protocol', { protocol })
    else if (!ports.list.some((one) => one.port === port && one.protocol === protocol))
      ports.list.push({ port, protocol, at: row.at })
  }
  return ports
}

const portIn = (fields: Fields, ports: Ports): number | undefined => {
  const text = fields.text('port')
  if (text === undefined) return undefined
  return ports.named.get(text) ?? (/^\d+$/.test(text) ? Number(text) : undefined)
}

/** An HTTP request: its port and path. */
function requestOf(fields: Fields, ports: Ports) {
  fields.usual('scheme', 'HTTP')
  const path = fields.text('path') ?? '/'
  return { type: 'http', port: portIn(fields, ports), path: path.startsWith('/') ? path : `/${path}` }
}

/** Kubernetes' defaults for a probe. */
const unsaid: Timing = { period: 10, timeout: 1, failures: 3 }

export function probeOf(
  container: Fields,
  key: string,
  ports: Ports,
  usual: Timing,
): Record<string, unknown> | undefined {
  const probe = container.fields(key)
  if (!probe) return undefined
  probe.usual('successThreshold', 1)
  const timing = {
    delaySeconds: probe.figure('initialDelaySeconds'),
    periodSeconds: probe.figure('periodSeconds') ?? unsaid.period,
    timeoutSeconds: probe.figure('timeoutSeconds') ?? unsaid.timeout,
    failures: probe.figure('failureThreshold') ?? unsaid.failures,
  }
  const rare = {
    ...(timing.delaySeconds === undefined ? {} : { delaySeconds: timing.delaySeconds }),
    ...(timing.periodSeconds === usual.period ? {} : { periodSeconds: timing.periodSeconds }),
    ...(timing.timeoutSeconds === usual.timeout ? {} : { timeoutSeconds: timing.timeoutSeconds }),
    ...(timing.failures === usual.failures ? {} : { failures: timing.failures }),
  }
  const tcp = probe.fields('tcpSocket')
  if (tcp) return { type: 'tcp', port: portIn(tcp, ports), ...rare }
  const http = probe.fields('httpGet')
  if (http) return { ...requestOf(http, ports), ...rare }
  const exec = probe.fields('exec')
  if (exec) return { type: 'command', command: exec.words('command') ?? [], ...rare }
  return undefined
}

function hookOf(lifecycle: Fields | undefined, key: string, ports: Ports): Record<string, unknown> | undefined {
  const hook = lifecycle?.fields(key)
  if (!hook) return undefined
  // the product itself adds this pause before the end
  hook.usual('sleep', { seconds: drainSeconds })
  const http = hook.fields('httpGet')
  if (http) return requestOf(http, ports)
  const exec = hook.fields('exec')
  return exec && { type: 'command', command: exec.words('command') ?? [] }
}

/** The checks and hooks of the main container. */
export function putChecks(draft: Draft, container: Fields, ports: Ports): void {
  const readiness = probeOf(container, 'readinessProbe', ports, usualTiming.readiness)
  const first = ports.list.find(({ protocol }) => protocol === 'TCP')?.port
  const isUsual = JSON.stringify(readiness) === JSON.stringify({ type: 'tcp', port: first })
  if (readiness && !isUsual) draft.put('readiness', readiness, container.place('readinessProbe'))
  const put = (field: 'liveness' | 'startup') =>
    draft.put(field, probeOf(container, `${field}Probe`, ports, usualTiming[field]), container.place(`${field}Probe`))
  put('liveness')
  put('startup')
  const lifecycle = container.fields('lifecycle')
  const [afterStart, beforeStop] = [hookOf(lifecycle, 'postStart', ports), hookOf(lifecycle, 'preStop', ports)]
  if (afterStart || beforeStop)
    draft.put(
      'lifecycle',
      { ...(afterStart && { afterStart }), ...(beforeStop && { beforeStop }) },
      container.place('lifecycle'),
    )
}

/** The security settings of a container, which apply to the whole service. */
export function securityOf(container: Fields): Record<string, unknown> {
  const own = container.fields('securityContext')
  if (!own) return {}
  own.usual('allowPrivilegeEscalation', false)
  own.usual('privileged', false)
  own.usual('seccompProfile', { type: 'RuntimeDefault' })
  const capabilities = own.fields('capabilities')
  capabilities?.usual('add', [])
  const drop = capabilities?.words('drop')
  return withoutUndefined({
    user: own.figure('runAsUser'),
    group: own.figure('runAsGroup'),
    nonRoot: own.truth('runAsNonRoot'),
    readOnlyRoot: own.truth('readOnlyRootFilesystem'),
    drop: drop && drop.length > 0 ? drop : undefined,
  })
}

/** Drops undefined fields. */
export const withoutUndefined = <T extends Record<string, unknown>>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>

export const commandOf = (container: Fields) => ({
  command: container.words('command') ?? [],
  arguments: container.words('args') ?? [],
})

export interface Mount {
  volume: string
  path: string
  readOnly: boolean
  subPath: string | undefined
  at: number
}

export const mountsOf = (container: Fields): Mount[] =>
  container.rows('volumeMounts').map((row) => {
    const path = row.text('mountPath') ?? ''
    row.usual('mountPropagation', 'None')
    row.usual('recursiveReadOnly', 'Disabled')
    return {
      volume: row.text('name') ?? '',
      path: path.length > 1 ? path.replace(/\/+$/, '') : path,
      readOnly: row.truth('readOnly') ?? false,
      subPath: row.text('subPath'),
      at: row.at,
    }
  })

/** An init or sidecar container. */
export function putExtra(
  draft: Draft,
  container: Fields,
  role: 'init' | 'side',
  sources: Sources,
  tell: Reporter,
): Mount[] {
  passUsual(container)
  container.usual('restartPolicy', 'Always')
  const own = container.fields('securityContext')
  if (own) {
    own.usual('allowPrivilegeEscalation', false)
    own.usual('privileged', false)
    own.usual(
      'readOnlyRootFilesystem',
      (draft.document['security'] as { readOnlyRoot?: boolean } | undefined)?.readOnlyRoot,
    )
    const drop = (draft.document['security'] as { drop?: string[] } | undefined)?.drop
    own.usual('capabilities', drop && { drop })
  }
  container.usual('ports', [])
  const { resources } = resourcesOf(container, tell)
  const mounts = mountsOf(container)
  draft.push(
    'containers',
    {
      name: container.text('name') ?? '',
      role,
      image: container.text('image') ?? '',
      ...commandOf(container),
      environment: environmentOf(container, sources, tell).map(({ at: _, ...one }) => one),
      resources,
      mounts: [],
    },
    container.at,
  )
  return mounts
}

export const containersIn = (pod: Fields, key: string, tell: Reporter): Fields[] =>
  pod.list(key).flatMap((one) => fieldsOf(one, tell, key) ?? [])
