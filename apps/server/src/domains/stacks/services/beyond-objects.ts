import type { ServiceRow } from './services.store.ts'

const byName = <T>(
  rows: readonly (readonly [name: string, value: T | null | undefined])[],
): Record<string, T> | undefined => {
  const said = rows.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value] as const]))
  return said.length > 0 ? Object.fromEntries(said) : undefined
}

/** What a service's document says and no object of it does; undefined where the objects say everything. */
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
    // a DaemonSet runs wherever it may: on how many hosts at most, only the document says
    ['replicas', workload === 'daemonset' && replicas !== 1 ? replicas : null],
  ])
}
