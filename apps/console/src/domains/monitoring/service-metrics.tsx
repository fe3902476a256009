import type { Expression } from '@gantry/contract/monitoring/metrics'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { Charts } from './charts.tsx'
import { MeasureFirst } from './measure-first.tsx'

const expressions: readonly Expression[] = [
  'service_cpu_usage',
  'service_memory_usage',
  'container_cpu_usage',
  'container_memory_usage',
  'container_network_receive',
  'container_network_transmit',
  'container_disk_read',
  'container_disk_write',
]

/** A service as a whole and by its containers, over time. */
export const ServiceMetrics = ({ service }: { service: ServiceDetail }) => {
  const { teamId, envId: env, id, stackId, name } = service
  return (
    <Charts
      of={{ kind: 'team', teamId, env, service: id }}
      expressions={expressions}
      left={<MeasureFirst teamId={teamId} env={env} stackId={stackId} service={id} container={name} />}
    />
  )
}
