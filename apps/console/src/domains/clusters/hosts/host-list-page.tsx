import { clusters } from '@gantry/contract/clusters/clusters'
import { Select } from 'antd'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import { useTeamId } from '../../../ui/link.tsx'
import type { ListState } from '../../../ui/table/list-state.ts'
import { Page } from '../../../ui/page.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { AddHostButton } from './add-host-button.tsx'
import { useHostTable } from './host-table.tsx'
import { StaleNotes } from '../pods/stale-notes.tsx'

/** The hosts of all clusters that the user may see. */
export function HostListPage() {
  const { table, dialog, list, stale } = useHostTable()
  return (
    <Page title={t('route-resourcemanager-cn')} about={t('hosts-ui-about')} actions={<AddHostButton />}>
      <StaleNotes stale={stale} />
      <ResourceTable label={t('route-resourcemanager-cn')} {...table} toolbar={<ClusterFilter list={list} />} />
      {dialog}
    </Page>
  )
}

/** Viewers of all clusters choose among them, other users among their team's. */
function ClusterFilter({ list }: { list: ListState }) {
  const every = useMay(clusters.list)
  const ofTeam = useMay(clusters.ofTeam) && !every
  const teamId = useTeamId()
  const all = useRead(clusters.list, { query: { pageSize: -1 } }, { enabled: every, staleMs: 60_000 })
  const own = useRead(clusters.ofTeam, { params: { teamId } }, { enabled: ofTeam && teamId > 0, staleMs: 60_000 })
  const options = (every ? all.data?.items : own.data) ?? []
  return (
    <Select
      aria-label={t('hosts-ui-cluster')}
      prefix={<span className="g-faint">{t('hosts-ui-cluster')}</span>}
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      value={list.filters['envUuid'] ?? ''}
      options={[
        { value: '', label: t('hosts-ui-all-clusters') },
        ...options.map(({ uuid, name }) => ({ value: uuid, label: name })),
      ]}
      onChange={(value) => list.setFilter('envUuid', value)}
    />
  )
}
