import { ingressGroups, type IngressGroup } from '@gantry/contract/clusters/ingress-groups'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmDelete, useDialog } from '../../../ui/feedback/dialog.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { GoTo } from '../../../ui/link.tsx'
import { Section } from '../../../ui/page.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { deleteAction } from '../../../ui/table/row-actions.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { placeOf } from '../hosts/host-marks.tsx'
import styles from './ingress.module.css'

const CreateGroupDialog = later(async () => (await import('./create-group-dialog.tsx')).CreateGroupDialog)

/** The server caches the readiness of hosts, but reads the classes from the cluster. */
const every = 30_000

/** The ingress controllers of a cluster, and the hosts that take traffic for them. */
export function IngressTab({ cluster }: { cluster: Cluster }) {
  const env = cluster.uuid
  const disabled = !cluster.alone && t('clusters-shared')
  const query = useRead(ingressGroups.list, { params: { env } }, { every })
  const adding = useDialog()
  const remove = useWrite(ingressGroups.remove, {
    done: 'delete-success',
    quiet: true,
  })
  const ask = ({ name, isDefault }: IngressGroup) =>
    confirmDelete({
      title: t('ingress-ui-remove-title', { name }),
      text: t('ingress-ui-remove-text'),
      goes: [t('ingress-ui-goes-group', { name })],
      ...(isDefault && { warning: t('ingress-ui-remove-default') }),
      typed: name,
      run: () => remove.mutateAsync({ named: name, params: { env, name } }),
    })
  return (
    <Section
      title={t('ingress-ui-groups')}
      about={t('ingress-ui-groups-about')}
      actions={
        <Button icon="add" needs={ingressGroups.create} disabled={disabled} onClick={() => adding.show(true)}>
          {t('ingress-ui-create')}
        </Button>
      }
    >
      <ResourceTable
        label={t('ingress-ui-groups')}
        query={query}
        rowKey={(row) => row.name}
        nameOf={(row) => row.name}
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
            key: 'way',
            title: t('ingress-ui-way'),
            wideOnly: true,
            cell: ({ way }) => <span translate="no">{way === 'gateway' ? 'GatewayClass' : 'IngressClass'}</span>,
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
          timeColumn('createdAt', t('ingress-ui-age'), { wideOnly: true }),
        ]}
        actions={(row) => [
          deleteAction({
            needs: ingressGroups.remove,
            disabled: disabled || (row.way === 'gateway' && t('ingress-ui-with-controller')),
            onClick: () => void ask(row),
          }),
        ]}
        empty={{ type: 'other', title: t('ingress-ui-none'), memo: t('ingress-ui-none-memo') }}
      />
      {adding.open && <CreateGroupDialog env={env} groups={query.data ?? []} onClose={adding.hide} />}
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
