import type { Cluster } from '@gantry/contract/clusters/clusters'
import type { Expression } from '@gantry/contract/monitoring/metrics'
import { useUser } from '../../api/session.ts'
import { Charts } from './charts.tsx'
import { TracingButtons } from '../tracing/public.tsx'
import { SourceButton } from './source-button.tsx'

const expressions: readonly Expression[] = [
  'cluster_cpu_percent',
  'cluster_memory_percent',
  'cluster_cpu_usage',
  'cluster_memory_usage',
  'cluster_pods',
  'host_cpu_percent',
  'host_memory_percent',
  'host_disk_percent',
  'host_network_receive',
  'host_network_transmit',
  'namespace_cpu_usage',
  'namespace_memory_usage',
]

/** A cluster, its hosts and namespaces over time; for administrators also the source of the figures. */
export function ClusterMetrics({ cluster }: { cluster: Cluster }) {
  const { admin } = useUser()
  return (
    <Charts
      of={{ kind: 'cluster', env: cluster.uuid }}
      expressions={expressions}
      actions={
        admin && (
          <>
            <SourceButton cluster={cluster} />
            <TracingButtons cluster={cluster} />
          </>
        )
      }
    />
  )
}
