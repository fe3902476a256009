import { t } from '../../../api/language.ts'
import type { Column } from '../../../ui/table/column.ts'
import { exactTime } from '../../../ui/format.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'

/** The only language of Kubernetes' texts. */
const kubernetes = 'en'

interface EventColumns {
  last: Column<{ last: string }>
  type: Column<{ type: string }>
  reason: Column<{ reason: string }>
  message: Column<{ message: string; count: number; first?: string }>
  source: Column<{ source: string }>
}

export const eventColumns = (): EventColumns => ({
  last: timeColumn('last', t('pods-ui-last'), { width: 120 }),
  type: {
    key: 'type',
    title: t('pods-ui-type'),
    width: 110,
    cell: ({ type }) => (
      <StateBadge
        state={type === 'Warning' ? 'warning' : 'usual'}
        text={type === 'Warning' ? t('pods-ui-warning') : t('pods-ui-normal')}
      />
    ),
  },
  reason: { key: 'reason', title: t('pods-ui-reason'), cell: (row) => <span lang={kubernetes}>{row.reason}</span> },
  message: {
    key: 'message',
    title: t('pods-ui-message'),
    cell: ({ message, count, first }) => (
      <>
        <span lang={kubernetes}>{message}</span>
        {count > 1 && (
          <span
            className="g-faint g-num"
            {...(first !== undefined && { title: t('pods-ui-times', { count, time: exactTime(first) }) })}
          >
            {' '}
            ×{count}
          </span>
        )}
      </>
    ),
  },
  source: {
    key: 'source',
    title: t('pods-ui-source'),
    wideOnly: true,
    cell: (row) => <span lang={kubernetes}>{row.source}</span>,
  },
})
