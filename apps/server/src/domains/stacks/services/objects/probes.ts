import type { V1Lifecycle, V1Probe } from '@kubernetes/client-node'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Hook, Probe } from '@gantry/contract/stacks/spec-container'
import { drainSeconds, type Timing, usualTiming } from '@gantry/contract/stacks/usual'
import type { Wire } from '../../../../adapters/kube/objects.ts'

function probeOf(check: Probe | undefined, fallback: Timing): Wire<V1Probe> | undefined {
  if (check === undefined || check.type === 'none') return undefined
  const timing = {
    periodSeconds: check.periodSeconds ?? fallback.period,
    timeoutSeconds: check.timeoutSeconds ?? fallback.timeout,
    failureThreshold: check.failures ?? fallback.failures,
    ...(check.delaySeconds === undefined ? {} : { initialDelaySeconds: check.delaySeconds }),
  }
  switch (check.type) {
    case 'tcp':
      return { ...timing, tcpSocket: { port: check.port } }
    case 'http':
      return { ...timing, httpGet: { port: check.port, path: check.path } }
    case 'command':
      return { ...timing, exec: { command: check.command } }
  }
}

/** Without a readiness check, a service with a TCP port is ready when that port is open. */
export function readinessProbe({ readiness, ports }: ServiceSpec): Wire<V1Probe> | undefined {
  const port = ports.find((one) => one.protocol === 'TCP')?.port
  const open: Probe | undefined = port === undefined ? undefined : { type: 'tcp', port }
  return probeOf(readiness.type === 'none' ? open : readiness, usualTiming.readiness)
}

/** The checks of the main container. */
export function probesOf(spec: ServiceSpec) {
  const [readiness, liveness, startup] = [
    readinessProbe(spec),
    probeOf(spec.liveness, usualTiming.liveness),
    probeOf(spec.startup, usualTiming.startup),
  ]
  return {
    ...(readiness && { readinessProbe: readiness }),
    ...(liveness && { livenessProbe: liveness }),
    ...(startup && { startupProbe: startup }),
  }
}

/** How many seconds the checks may take until an instance counts as ready. */
export function patienceOf(spec: ServiceSpec): number {
  const { readinessProbe: readiness, startupProbe: startup } = probesOf(spec)
  return [readiness, startup].reduce(
    (sum, probe) =>
      sum +
      (probe?.initialDelaySeconds ?? 0) +
      (probe ? (probe.periodSeconds ?? 0) * (probe.failureThreshold ?? 0) : 0),
    0,
  )
}

const handlerOf = (hook: Hook) =>
  hook.type === 'command' ? { exec: { command: hook.command } } : { httpGet: { port: hook.port, path: hook.path } }

/** A hook before the end replaces the default pause. */
export const lifecycleOf = ({ lifecycle }: ServiceSpec): Wire<V1Lifecycle> => ({
  ...(lifecycle?.afterStart && { postStart: handlerOf(lifecycle.afterStart) }),
  preStop: lifecycle?.beforeStop ? handlerOf(lifecycle.beforeStop) : { sleep: { seconds: drainSeconds } },
})
