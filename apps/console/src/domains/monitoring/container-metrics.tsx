import type { Expression } from '@gantry/contract/monitoring/metrics'
import { t } from '../../api/language.ts'
import { to, useParam, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { Charts } from './charts.tsx'
import { MeasureFirst } from './measure-first.tsx'

const expressions: readonly Expression[] = [
  'container_cpu_usage',
  'container_memory_usage',
  'container_network_receive',
  'container_network_transmit',
  'container_disk_read',
  'container_disk_write',
]

/** One pod of a service over time: CPU, memory, network and disk. */
export function ContainerMonitorPage() {
  const teamId = useTeamId()
  const env = useParam('env_id')
  const pod = useParam('container_name')
  const service = Number(useParam('service_id'))
  const stackId = Number(useParam('stack_id'))
  const params = {
    env_id: env,
    stack_id: stackId,
    stack_uuid: useParam('stack_uuid'),
    stack_name: useParam('stack_name'),
    service_id: service,
    service_name: useParam('service_name'),
    service_type: useParam('service_type'),
    from: useParam('from'),
  }
  return (
    <Page
      title={pod}
      about={t('monitoring-ui-container-about')}
      crumbs={[
        { label: t('route-app-list'), to: to('app-list') },
        { label: params.stack_name, to: to('app-list', {}, { keyword: params.stack_name }) },
        { label: params.service_name, to: to('containers', params) },
      ]}
    >
      <Charts
        of={{ kind: 'team', teamId, env, service, pod }}
        expressions={expressions}
        left={<MeasureFirst teamId={teamId} env={env} stackId={stackId} service={service} container={pod} />}
      />
    </Page>
  )
}
