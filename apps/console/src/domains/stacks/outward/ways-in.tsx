import type { ServiceSummary } from '@gantry/contract/stacks/services'
import { type Route, ways } from '@gantry/contract/stacks/ways'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { Facts } from '../../../ui/detail.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import styles from './outward.module.css'

/** The kit's state for each state of a way in. */
const looks = { open: 'ready', waiting: 'pending', refused: 'failed' } as const

/** Controllers act within seconds, without an event. */
const every = 10_000

/** Why ways into a service are not open, their addresses, and their targets. */
export function WaysIn({ service, group }: { service: ServiceSummary; group?: string | undefined }) {
  const { teamId, envId, id } = service
  const params = { teamId, envId, id }
  const check = useRead(ways.check, { params }, { every, of: { serviceId: id } })
  const list = useListState('ways-in')
  const query = useRead(
    ways.detail,
    { params, query: { ...list.query, ...(group === undefined ? {} : { group_name: group }) } },
    { every, of: { serviceId: id } },
  )
  return (
    <div className={styles.overview}>
      {check.data && !check.data.ok && (
        <div className="g-note g-note-warn" role="status">
          {check.data.problems.map(({ key, text }) => (
            <p key={`${key} ${text}`}>{text}</p>
          ))}
        </div>
      )}
      {check.data && (
        <Facts
          facts={[
            { label: t('outward-ui-group'), value: check.data.group },
            { label: t('ingress-ui-controller'), value: <span translate="no">{check.data.controller}</span> },
            { label: t('outward-ui-way'), value: t(`outward-ui-way-${check.data.way}`) },
            {
              label: t('outward-ui-address'),
              value: check.data.addresses.map((one) => (
                <div key={one}>
                  <Copyable text={one} />
                </div>
              )),
            },
          ]}
        />
      )}
      <ResourceTable<Route>
        label={t('outward-ui-ways')}
        query={query}
        list={list}
        search={t('outward-ui-search')}
        rowKey={(row) => `${row.name} ${row.port} ${row.host}${row.path} ${row.service}:${row.servicePort}`}
        columns={[
          {
            key: 'place',
            title: t('outward-ui-place'),
            min: 200,
            cell: (row) => (
              <div>
                {row.url === '' ? (
                  <span className="g-mono">{`${row.protocol} ${row.port}`}</span>
                ) : (
                  <a href={row.url} target="_blank" rel="noreferrer">
                    {row.url}
                  </a>
                )}
                {row.message !== '' && <p className="g-message g-bad">{row.message}</p>}
              </div>
            ),
          },
          { key: 'name', title: t('stacks-ui-name'), cell: (row) => row.name, wideOnly: true },
          {
            key: 'target',
            title: t('outward-ui-target'),
            cell: (row) => <span className="g-mono">{`${row.service}:${row.servicePort}`}</span>,
          },
          {
            key: 'weight',
            title: t('outward-ui-weight'),
            cell: (row) => <span className="g-num">{row.weight}</span>,
            wideOnly: true,
          },
          {
            key: 'ready',
            title: t('stacks-ui-ready'),
            cell: (row) => <span className="g-num">{row.ready}</span>,
          },
          {
            key: 'state',
            title: t('stacks-ui-state'),
            cell: (row) => <StateBadge state={looks[row.state]} text={t(`outward-ui-state-${row.state}`)} />,
          },
        ]}
        empty={{ title: t('outward-ui-ways-none') }}
      />
    </div>
  )
}
