import { applications } from '@gantry/contract/stacks/applications'
import { ServiceState, serviceStateGroups } from '@gantry/contract/stacks/states'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useTeamId } from '../../../ui/link.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { useServiceActions } from '../services/use-service-actions.tsx'
import { useServiceBulk } from '../services/use-service-bulk.tsx'
import { until } from '../services/reads.ts'
import { isSettled } from '../services/service-states.ts'
import { ApplicationFilters } from './application-filters.tsx'
import { useServiceColumns } from './service-columns.tsx'

type Group = keyof typeof serviceStateGroups
const groups = Object.keys(serviceStateGroups) as Group[]

/** The services of all stacks of a team, in one list. */
export function ServiceList() {
  const teamId = useTeamId()
  const list = useListState('app-services', {
    filters: { env: 'all', serviceState: 'all', productId: '', type: 'all', osType: 'all' },
  })
  const { env: envId = 'all', serviceState: state, ...filters } = list.query
  const input = {
    params: { teamId, envId: String(envId) },
    query: { ...filters, ...(state === undefined ? {} : { state: state as ServiceState }) },
  }
  const query = useRead(applications.services, input, {
    keep: false,
    every: until((data) => data.items.every(isSettled)),
    of: (data) => data?.items.map(({ stackId }) => ({ stackId })) ?? [],
  })
  const columns = useServiceColumns({ ofMany: true })
  const { actionsOf, dialog } = useServiceActions()
  const bulk = useServiceBulk()
  return (
    <>
      <ResourceTable
        label={t('stacks-ui-services')}
        query={query}
        list={list}
        search={t('stacks-ui-search')}
        filters={[
          {
            name: 'serviceState',
            label: t('stacks-ui-state'),
            options: [
              { value: 'all', label: t('ui-any') },
              ...groups.map((group) => ({ value: group, label: t(`stacks-ui-group-${group}`) })),
              ...ServiceState.options.map((value) => ({ value, label: t(`state-${value}`) })),
            ],
          },
        ]}
        toolbar={<ApplicationFilters list={list} />}
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        columns={columns}
        actions={actionsOf}
        bulk={bulk}
        empty={{ title: t('stacks-ui-services-nowhere'), memo: t('stacks-ui-services-nowhere-memo') }}
      />
      {dialog}
    </>
  )
}
