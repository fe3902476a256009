import { useState } from 'react'
import { audit, type AuditRow } from '@gantry/contract/audit/audit'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { useUser } from '../../api/session.ts'
import { download } from '../../api/transfer.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/table/column.ts'
import { Dialog, useDialog } from '../../ui/feedback/dialog.tsx'
import { duration } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { Time } from '../../ui/time.tsx'
import { useUrlState } from '../../ui/table/url-state.ts'
import { AuditDrawer } from './audit-drawer.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { Outcome } from './outcome.tsx'
import { AuditRetentionForm } from './retention-form.tsx'
import { useAuditFilters } from './use-audit-filters.ts'
import styles from './audit.module.css'

/** Nearly every call adds a row, so polling costs less than a push message for each. */
const askAgainMs = 10_000

const columns = (show: (row: AuditRow) => void): readonly Column<AuditRow>[] => [
  {
    key: 'action',
    title: t('audit-ui-action'),
    cell: (row) => (
      <button type="button" className={styles.open} onClick={() => show(row)}>
        {row.action}
      </button>
    ),
  },
  {
    key: 'object',
    title: t('audit-ui-object'),
    cell: (row) => <span className={styles.clip}>{row.object || '–'}</span>,
  },
  { key: 'user', title: t('audit-ui-user'), cell: (row) => row.username || t('audit-ui-anonymous') },
  {
    key: 'team',
    title: t('audit-ui-team'),
    cell: (row) => <span className="g-nowrap">{row.teamName || '–'}</span>,
    wideOnly: true,
  },
  { key: 'outcome', title: t('audit-ui-outcome'), cell: (row) => <Outcome row={row} /> },
  {
    key: 'ip',
    title: t('audit-ui-address'),
    cell: (row) => <span className="g-nowrap">{row.ip || '–'}</span>,
    wideOnly: true,
  },
  {
    key: 'duration',
    title: t('audit-ui-duration'),
    cell: (row) => <span className="g-num">{duration(row.durationMs)}</span>,
    align: 'right',
    wideOnly: true,
  },
  {
    key: 'startTime',
    title: t('audit-ui-time'),
    sort: true,
    cell: (row) => (
      <span className="g-nowrap">
        <Time at={row.startTime} />
      </span>
    ),
  },
]

/** Who did what, to which object, when, with which result. */
export function AuditListPage() {
  const { admin } = useUser()
  const { list, query: wanted, filters } = useAuditFilters()
  const query = useRead(audit.search, { query: wanted }, { every: askAgainMs })
  const [{ entry }, change] = useUrlState({ entry: '' })
  const retention = useDialog()
  const [saving, setSaving] = useState(false)
  const userId = list.filters['userId'] ?? ''
  const userName = query.data?.items.find((row) => String(row.userId) === userId)?.username ?? ''

  const save = async () => {
    setSaving(true)
    await download(audit.csv, { query: filters }, 'audit.csv').catch((error: unknown) => toast.error(error))
    setSaving(false)
  }
  return (
    <Page
      title={t('route-audit-logs')}
      about={t('audit-ui-about')}
      actions={
        <>
          {admin && (
            <Button icon="clock" onClick={() => retention.show(true)}>
              {t('audit-ui-retention-button')}
            </Button>
          )}
          <Button icon="download" loading={saving} onClick={() => void save()}>
            {t('audit-ui-csv')}
          </Button>
        </>
      }
    >
      <ResourceTable
        label={t('route-audit-logs')}
        query={query}
        list={list}
        search={t('audit-ui-search')}
        toolbar={<AuditFilters list={list} userName={userName} />}
        rowKey={(row) => row.id}
        nameOf={(row) => row.action}
        columns={columns((row) => change({ entry: String(row.id) }))}
        empty={{ type: 6, title: t('audit-ui-none'), memo: t('audit-ui-none-memo') }}
      />
      {entry !== '' && (
        <AuditDrawer
          key={entry}
          id={Number(entry) || 0}
          onClose={() => change({ entry: '' })}
          onUser={(id) => {
            list.setFilter('userId', String(id))
            // the same step of the history: going back leads to the entry again
            change({ entry: '' }, { replace: true })
          }}
        />
      )}
      {retention.open && (
        <Dialog title={t('audit-ui-retention-button')} onClose={retention.hide}>
          <AuditRetentionForm onDone={retention.hide} />
        </Dialog>
      )}
    </Page>
  )
}
