import { collection, type Collector } from '@gantry/contract/log-shipping/collection'
import { t } from '../../api/language.ts'
import { useRead } from '../../api/hooks.ts'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './log-shipping.module.css'

const podsOf = ({ ready, desired }: Collector): string =>
  ready === null || desired === null ? '–' : `${ready} / ${desired}`

/** The state of the collector in each selected cluster. */
export function Collectors() {
  const query = useRead(collection.get)
  return (
    <ResourceTable
      label={t('logs-ui-collectors')}
      query={{ ...query, data: query.data?.collectors }}
      rowKey={(row) => row.environment}
      nameOf={(row) => row.name}
      columns={[
        { key: 'name', title: t('logs-ui-cluster'), cell: (row) => row.name },
        {
          key: 'state',
          title: t('logs-ui-state'),
          cell: (row) => (
            <>
              <StateBadge state={row.state} text={t(`logs-ui-state-${row.state}`)} />
              {row.problem !== '' && <p className={`g-faint ${styles.problem}`}>{row.problem}</p>}
            </>
          ),
        },
        { key: 'pods', title: t('logs-ui-pods'), align: 'right', width: 112, cell: podsOf },
        {
          key: 'hash',
          title: t('logs-ui-hash'),
          cell: (row) => (row.hash === '' ? '–' : <code>{row.hash}</code>),
          wideOnly: true,
        },
        {
          key: 'appliedAt',
          title: t('logs-ui-applied'),
          cell: (row) => (row.appliedAt === null ? '–' : <Time at={row.appliedAt} />),
          wideOnly: true,
        },
      ]}
      empty={{ type: 6, title: t('logs-ui-none'), memo: t('logs-ui-none-memo') }}
    />
  )
}
