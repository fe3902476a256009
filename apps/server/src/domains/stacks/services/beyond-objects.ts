import type { ServiceRow } from './services.store.ts'

const byName = <T>(
  rows: readonly (readonly [name: string, value: T | null | undefined])[],
): Record<string, T> | undefined => {
  const said = rows.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value] as const]))
  return said.length > 0 ? Object.fromEntries(said) : undefined
}

/** The parts of a service's document that its objects do not express; undefined if there are none. */
export function beyondObjects({
  spec,
  requires,
}: Pick<ServiceRow, 'spec' | 'requires'>): Record<string, unknown> | undefined {
  const { outward, registryId, configuration, autoscaling, workload, replicas, containers = [] } = spec
  return byName<unknown>([
    ['requires', requires.length > 0 ? requires : null],
    ['outward', outward],
    ['registryId', registryId],
    ['configuration', configuration],
    ['registries', byName(containers.map((one) => [one.name, one.registryId] as const))],
    ['autoscaling', autoscaling],
    // a DaemonSet runs on every suitable host; only the document has the greatest number of hosts
    ['replicas', workload === 'daemonset' && replicas !== 1 ? replicas : null],
  ])
}
