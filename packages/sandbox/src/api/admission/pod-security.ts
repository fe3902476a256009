import type { Kind } from '../../objects/kinds.ts'
import { forbidden } from '../../objects/status.ts'
import type { Container, Pod } from '../../objects/types.ts'
import type { Store } from '../../store/store.ts'

const harmless = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
)

const quoted = (names: string[]): string => names.map((name) => `"${name}"`).join(', ')
const many = (names: string[], one: string, more: string): string =>
  `${names.length === 1 ? one : more} ${quoted(names)}`

/** The checks of the `baseline` standard that software meets in practice, with the real server's texts and order. */
function violations({ spec }: Pod): string[] {
  const found: string[] = []
  const containers: Container[] = [...(spec.initContainers ?? []), ...spec.containers]
  const host = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field])
  if (host.length > 0) found.push(`host namespaces (${host.map((field) => `${field}=true`).join(', ')})`)
  const added = containers
    .map(({ name, securityContext }) => ({
      name,
      capabilities: (securityContext?.capabilities?.add ?? []).filter((one) => !harmless.has(one)),
    }))
    .filter(({ capabilities }) => capabilities.length > 0)
  if (added.length > 0) {
    const all = [...new Set(added.flatMap(({ capabilities }) => capabilities))].sort()
    const names = added.map(({ name }) => name)
    found.push(
      `non-default capabilities (${many(names, 'container', 'containers')} must not include ${quoted(all)} in securityContext.capabilities.add)`,
    )
  }
  const mounts = (spec.volumes ?? []).filter((volume) => volume.hostPath).map((volume) => volume.name)
  if (mounts.length > 0) found.push(`hostPath volumes (${many(mounts, 'volume', 'volumes')})`)
  const ports = containers.filter((container) => container.ports?.some((port) => port.hostPort))
  if (ports.length > 0) {
    const numbers = ports.flatMap((container) => (container.ports ?? []).flatMap((port) => port.hostPort ?? []))
    found.push(
      `hostPort (${many(
        ports.map(({ name }) => name),
        'container',
        'containers',
      )} ${ports.length === 1 ? 'uses' : 'use'} ${numbers.length === 1 ? 'hostPort' : 'hostPorts'} ${numbers.join(', ')})`,
    )
  }
  const privileged = containers.filter((container) => container.securityContext?.privileged).map(({ name }) => name)
  if (privileged.length > 0)
    found.push(
      `privileged (${many(privileged, 'container', 'containers')} must not set securityContext.privileged=true)`,
    )
  return found
}

/** Enforces Pod Security by the namespace's labels; `restricted` only gets the checks of `baseline`. */
export function checkPodSecurity(store: Store, kind: Kind, pod: Pod): void {
  const labels = store.get('namespaces', undefined, pod.metadata.namespace ?? '')?.metadata.labels
  const level = labels?.['pod-security.kubernetes.io/enforce']
  if (level !== 'baseline' && level !== 'restricted') return
  const found = violations(pod)
  if (found.length === 0) return
  const version = labels?.['pod-security.kubernetes.io/enforce-version'] ?? 'latest'
  throw forbidden(kind, pod.metadata.name, `violates PodSecurity "${level}:${version}": ${found.join(', ')}`)
}
