import type { Expression } from '@gantry/contract/monitoring/metrics'
import { Charts } from './charts.tsx'

const expressions: readonly Expression[] = [
  'host_cpu_percent',
  'host_memory_percent',
  'host_disk_percent',
  'host_network_receive',
  'host_network_transmit',
]

/** One host over time. */
export const HostMetrics = ({ env, host }: { env: string; host: string }) => (
  <Charts of={{ kind: 'cluster', env, host }} expressions={expressions} />
)
