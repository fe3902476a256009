import { caches } from '@gantry/contract/pipelines/caches'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/feedback/dialog.tsx'
import { bytes } from '../../../ui/format.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import styles from './caches.module.css'

/** The entries that the cache steps of a pipeline have stored. */
export function CacheList({ pipeline: { id, projectName } }: { pipeline: Pipeline }) {
  const list = useListState('cd-caches', { pageSize: 50 })
  const query = useRead(caches.list, { params: { id }, query: list.query })
  const clear = useWrite(caches.clear, { done: 'delete-success', quiet: true })
  const askClear = () =>
    confirm({
      title: t('pipelines-ui-caches-clear-title', { name: projectName }),
      text: t('pipelines-ui-caches-clear-text'),
      danger: true,
      ok: t('pipelines-ui-caches-clear'),
      run: () => clear.mutateAsync({ named: projectName, params: { id } }),
    })
  return (
    <>
      {(query.data?.totalSize ?? 0) > 0 && (
        <p className={styles.tools}>
          <Button danger icon="delete" needs={caches.clear} onClick={() => void askClear()}>
            {t('pipelines-ui-caches-clear')}
          </Button>
        </p>
      )}
      <ResourceTable
        label={t('pipelines-ui-caches')}
        query={query}
        list={list}
        search={t('pipelines-ui-caches-search')}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'key',
            title: t('pipelines-ui-cache-key'),
            mono: true,
            min: 200,
            cell: (row) => <span translate="no">{row.key}</span>,
          },
          {
            key: 'scope',
            title: t('pipelines-ui-caches-scope'),
            min: 140,
            cell: ({ scope: { kind, name } }) => t(`pipelines-ui-caches-${kind}`, { name: name || '–' }),
          },
          { key: 'platform', title: t('pipelines-ui-caches-platform'), cell: (row) => row.platform, wideOnly: true },
          {
            key: 'size',
            title: t('pipelines-ui-caches-size'),
            align: 'right',
            width: 96,
            cell: (row) => bytes(row.size),
          },
          timeColumn('usedAt', t('pipelines-ui-caches-used'), { width: 160 }),
        ]}
        empty={{ type: 1, title: t('pipelines-ui-caches-none'), memo: t('pipelines-ui-caches-none-memo') }}
      />
    </>
  )
}
