import type { Cluster } from '@gantry/contract/clusters/clusters'
import { storage, type Driver } from '@gantry/contract/clusters/storage'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { confirmDelete, useDialog } from '../../../ui/feedback/dialog.tsx'
import { count } from '../../../ui/format.ts'
import { Section } from '../../../ui/page.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { deleteAction } from '../../../ui/table/row-actions.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { CreateDriverDialog } from './create-driver-dialog.tsx'
import styles from './storage.module.css'

interface DriverSectionProps {
  cluster: Cluster
  /** Why nothing can be changed. */
  disabled: string | false
}

const needs = storage.createDriver

const columns = (): readonly Column<Driver>[] => [
  {
    key: 'name',
    title: t('storage-ui-name'),
    cell: (row) => (
      <div className={styles.name}>
        {row.name}
        {row.isDefault && <span className={styles.defaultMark}>{t('storage-ui-default')}</span>}
        <small>{row.provisioner}</small>
      </div>
    ),
  },
  {
    key: 'volumes',
    title: t('storage-ui-volumes'),
    align: 'right',
    cell: (row) => count(row.volumeNum),
  },
  {
    key: 'policy',
    title: t('storage-ui-policy'),
    cell: (row) => (row.reclaimPolicy === 'Delete' ? t('storage-ui-delete') : t('storage-ui-retain')),
  },
  { key: 'binding', title: t('storage-ui-binding'), cell: (row) => t(`storage-ui-binding-${row.binding}`) },
  {
    key: 'expandable',
    title: t('storage-ui-expandable'),
    wideOnly: true,
    cell: (row) => (row.expandable ? t('storage-ui-yes') : t('storage-ui-no')),
  },
  timeColumn('createdAt', t('storage-ui-created'), { wideOnly: true }),
]

/** The storage drivers of a cluster, which provision volumes for claims. */
export function DriverSection({ cluster, disabled }: DriverSectionProps) {
  const params = { env: cluster.uuid }
  const query = useRead(storage.drivers, { params }, { every: 30_000 })
  // if several are marked as default, as an interrupted change leaves them, one has to be chosen
  const settled = query.data?.filter(({ isDefault }) => isDefault).length === 1
  const adding = useDialog()
  const remove = useWrite(storage.removeDriver, {
    done: 'delete-success',
    quiet: true,
  })
  const setDefault = useWrite(storage.setDefaultDriver, { done: 'update-success' })
  const ask = ({ name, isDefault }: Driver) =>
    confirmDelete({
      title: t('storage-ui-driver-remove-title', { name }),
      text: t('storage-ui-driver-remove-text'),
      goes: [t('storage-ui-goes-driver', { name })],
      ...(isDefault && { warning: t('storage-ui-driver-remove-default') }),
      typed: name,
      run: () => remove.mutateAsync({ named: name, params: { ...params, name } }),
    })
  return (
    <Section
      title={t('storage-ui-drivers')}
      about={t('storage-ui-drivers-about')}
      actions={
        <Button icon="add" needs={needs} disabled={disabled} onClick={() => adding.show(true)}>
          {t('storage-ui-driver-create')}
        </Button>
      }
    >
      <ResourceTable
        label={t('storage-ui-drivers')}
        query={query}
        rowKey={(row) => row.name}
        nameOf={(row) => row.name}
        columns={columns()}
        actions={(row) => [
          {
            key: 'default',
            label: t('storage-ui-make-default'),
            icon: 'check',
            needs: storage.setDefaultDriver,
            disabled: disabled || (row.isDefault && settled && t('storage-ui-is-default')),
            onClick: () => setDefault.mutate({ named: row.name, params: { ...params, name: row.name } }),
          },
          deleteAction({
            needs: storage.removeDriver,
            disabled: disabled || (row.volumeNum > 0 && t('storage-ui-driver-has-volumes', { count: row.volumeNum })),
            onClick: () => void ask(row),
          }),
        ]}
        empty={{ type: 'other', title: t('storage-ui-drivers-none'), memo: t('storage-ui-drivers-none-memo') }}
      />
      {adding.open && <CreateDriverDialog cluster={cluster} onClose={adding.hide} />}
    </Section>
  )
}
