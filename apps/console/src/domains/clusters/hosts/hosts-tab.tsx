import type { Environment } from '@gantry/contract/clusters/environments'
import { t } from '../../../api/language.ts'
import { AddHostButton } from './add-host-button.tsx'
import { useHostTable } from './host-table.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { StaleNote } from '../pods/stale-notes.tsx'

/** The hosts of a cluster. */
export function HostsTab({ environment }: { environment: Environment }) {
  const { table, dialog, stale, nothing } = useHostTable(environment.uuid)
  return (
    <>
      <StaleNote stale={stale} nothing={nothing} />
      <ResourceTable
        label={t('route-resourcemanager-cn')}
        {...table}
        toolbar={<AddHostButton environment={environment} />}
      />
      {dialog}
    </>
  )
}
