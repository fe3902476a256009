import { type BackupFile, backups } from '@gantry/contract/backups/backups'
import { useRead, useWrite } from '../../api/hooks.ts'
import { language, t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { download } from '../../api/transfer.ts'
import { Button } from '../../ui/button.tsx'
import { confirmDelete } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { bytes, exactTime } from '../../ui/format.ts'
import { type Action, deleteAction } from '../../ui/table/row-actions.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import styles from './backups.module.css'

/** The state `running` of a backup looks busy; elsewhere `running` means healthy. */
const lookOf = (state: BackupFile['state']): string => (state === 'running' ? 'creating' : state)

/** The existing backups, to download or delete, and instructions to restore one. */
export function BackupFiles() {
  const list = useListState('sys-backups')
  const query = useRead(backups.list, { query: list.query })
  const create = useWrite(backups.create)
  const remove = useWrite(backups.remove, { done: 'delete-success', quiet: true })
  const make = () => create.mutate({ named: '' })
  const askRemove = ({ id, createdAt }: BackupFile) =>
    confirmDelete({
      title: t('backups-ui-delete-title', { time: exactTime(createdAt) }),
      text: t('backups-ui-delete-memo'),
      run: () => remove.mutateAsync({ named: exactTime(createdAt), params: { id } }),
    })
  const actionsOf = (row: BackupFile): Action[] => {
    const fetch: Action = {
      key: 'download',
      label: t('backups-ui-download'),
      icon: 'download',
      onClick: () => void download(backups.file, { params: { id: row.id } }).catch(toast.error),
    }
    return [...(row.state === 'done' ? [fetch] : []), deleteAction({ onClick: () => void askRemove(row) })]
  }
  const open = query.data?.items.some(({ state }) => state === 'waiting' || state === 'running') ?? false
  return (
    <>
      <div className={styles.restore}>
        <p>{t('backups-ui-restore', { command: 'npm run admin -- restore' })}</p>
        <p>
          <a href={`/document/${language}/backups.html`} target="_blank" rel="noreferrer">
            {t('backups-ui-manual')}
          </a>
        </p>
      </div>
      <ResourceTable
        label={t('backups-ui-files')}
        query={query}
        list={list}
        rowKey={(row) => row.id}
        nameOf={(row) => exactTime(row.createdAt)}
        toolbar={
          <Button primary icon="add" loading={create.isPending} disabled={open && t('backups-running')} onClick={make}>
            {t('backups-ui-now')}
          </Button>
        }
        columns={[
          timeColumn('createdAt', t('backups-ui-made')),
          {
            key: 'state',
            title: t('backups-ui-state'),
            cell: (row) => (
              <>
                <StateBadge state={lookOf(row.state)} text={t(`backups-ui-state-${row.state}`)} />
                {row.problem !== '' && <p className={`g-faint ${styles.problem}`}>{row.problem}</p>}
              </>
            ),
          },
          {
            key: 'size',
            title: t('backups-ui-size'),
            align: 'right',
            width: 112,
            cell: (row) => (row.size === null ? '–' : bytes(row.size)),
          },
          {
            key: 'cause',
            title: t('backups-ui-cause'),
            cell: (row) => row.by || t('backups-ui-by-schedule'),
            wideOnly: true,
          },
          { key: 'release', title: t('backups-ui-release'), cell: (row) => row.release || '–', wideOnly: true },
        ]}
        actions={actionsOf}
        empty={{
          type: 6,
          title: t('backups-ui-none'),
          memo: t('backups-ui-none-memo'),
        }}
      />
    </>
  )
}
