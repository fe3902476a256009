import { ingressGroups, type IngressGroup } from '@gantry/contract/clusters/ingress-groups'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { GoTo } from '../../../ui/link.tsx'
import { Section } from '../../../ui/page.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Time } from '../../../ui/time.tsx'
import { placeOf } from '../hosts/host-marks.tsx'
import styles from './ingress.module.css'

/** Whether a host is ready is known to the server; its classes are asked of the cluster itself. */
const every = 30_000

/** The ingress controllers of a cluster, and the hosts that take traffic for them. */
export function IngressTab({ env }: { env: string }) {
  const query = useRead(ingressGroups.list, { params: { env } }, { every })
  return (
    <Section title={t('ingress-ui-groups')} about={t('ingress-ui-groups-about')}>
      <ResourceTable
        label={t('ingress-ui-groups')}
        query={query}
        rowKey={(row) => row.name}
        columns={[
          {
            key: 'name',
            title: t('ingress-ui-name'),
            cell: ({ name, isDefault }) => (
              <span className="g-name">
                {name}
                {isDefault && <span className={`g-tag ${styles.defaultMark}`}>{t('ingress-ui-first')}</span>}
              </span>
            ),
          },
          {
            key: 'controller',
            title: t('ingress-ui-controller'),
            cell: (row) => <span translate="no">{row.controller}</span>,
          },
          {
            key: 'hosts',
            title: t('ingress-ui-hosts'),
            cell: (row) => <Hosts env={env} hosts={row.hosts} />,
          },
          {
            key: 'createdAt',
            title: t('ingress-ui-age'),
            wideOnly: true,
            cell: (row) => <Time at={row.createdAt} />,
          },
        ]}
        empty={{ type: 'other', title: t('ingress-ui-none'), memo: t('ingress-ui-none-memo') }}
      />
    </Section>
  )
}

function Hosts({ env, hosts }: { env: string; hosts: IngressGroup['hosts'] }) {
  if (hosts.length === 0) return <span className="g-faint">{t('ingress-ui-hosts-none')}</span>
  return (
    <ul className={styles.hosts}>
      {hosts.map(({ name, ip, ready }) => (
        <li key={name}>
          <GoTo to={placeOf({ envUuid: env, name, ip, uuid: '-' })}>{name}</GoTo>
          <StateBadge state={ready ? 'ready' : 'not_ready'} />
        </li>
      ))}
    </ul>
  )
}
