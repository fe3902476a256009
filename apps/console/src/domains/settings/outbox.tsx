import { mail } from '@gantry/contract/settings/mail'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import styles from './settings.module.css'

const askAgainMs = 15_000

/** Mails that wait to be sent, and the outcome of the last ones. */
export function Outbox() {
  const query = useRead(mail.outbox, {}, { every: askAgainMs })
  return (
    <ResourceTable
      label={t('settings-ui-outbox')}
      query={query}
      rowKey={(row) => row.id}
      columns={[
        { key: 'to', title: t('settings-ui-outbox-to'), cell: (row) => row.to },
        { key: 'subject', title: t('settings-ui-outbox-subject'), cell: (row) => row.subject, wideOnly: true },
        {
          key: 'state',
          title: t('settings-ui-outbox-state'),
          cell: (row) => (
            <>
              <StateBadge state={row.state} text={t(`settings-ui-outbox-state-${row.state}`)} />
              {row.problem !== '' && <p className={`g-faint ${styles.problem}`}>{row.problem}</p>}
            </>
          ),
        },
        {
          key: 'attempts',
          title: t('settings-ui-outbox-attempts'),
          cell: (row) => <span className="g-num">{row.attempts}</span>,
          align: 'right',
          wideOnly: true,
        },
        timeColumn('createdAt', t('settings-ui-outbox-created')),
      ]}
      empty={{ type: 6, title: t('settings-ui-outbox-none'), memo: t('settings-ui-outbox-none-memo') }}
    />
  )
}
