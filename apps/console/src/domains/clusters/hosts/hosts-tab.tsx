import type { Cluster } from '@gantry/contract/clusters/clusters'
import { t } from '../../../api/language.ts'
import { AddHostButton } from './add-host-button.tsx'
import { useHostTable } from './host-table.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { StaleNote } from '../pods/stale-notes.tsx'

export function HostsTab({ cluster }: { cluster: Cluster }) {
  const { table, dialog, stale, nothing } = useHostTable(cluster.uuid)
  return (
    <>
      <StaleNote stale={stale} nothing={nothing} />
      <ResourceTable label={t('route-resourcemanager-cn')} {...table} toolbar={<AddHostButton cluster={cluster} />} />
      {dialog}
    </>
  )
}
