import { type GlobalRule, globalIngress, WayProtocol } from '@gantry/contract/stacks/global-ingress'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { GoTo, to, useParam } from '../../../ui/link.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'

const protocols = ['all', ...WayProtocol.options] as const

const byProtocol = () => ({
  name: 'protocol',
  label: t('global-ingress-protocol'),
  options: protocols.map((value) => ({
    value,
    label: value === 'all' ? t('global-ingress-all-protocols') : value,
  })),
})

/** The service that opens a way in, in its own team. */
const serviceOf = (rule: GlobalRule) =>
  to('containers', {
    team_id: rule.teamId,
    env_id: rule.envId,
    stack_id: rule.stackId,
    stack_uuid: rule.stackUuid,
    stack_name: rule.stack,
    service_id: rule.serviceId,
    service_name: rule.service,
    service_type: rule.serviceType,
    from: 'appcenter',
  })

const keyOf = (rule: GlobalRule) => `${rule.envId} ${rule.port} ${rule.host}${rule.path}`

const HostCell = ({ host, protocol, teamId }: GlobalRule) =>
  host === '' ? (
    <span className="g-faint">{t('global-ingress-every-host')}</span>
  ) : (
    <GoTo to={to('global-ingress-host', { team_id: teamId, protocol, host })}>{host}</GoTo>
  )

const columnsOf = (ofAll: boolean): Column<GlobalRule>[] => [
  { key: 'service', title: t('global-ingress-service'), sort: true, cell: (row) => row.service },
  { key: 'host', title: t('global-ingress-host'), sort: true, cell: (row) => <HostCell {...row} /> },
  { key: 'path', title: t('global-ingress-path'), mono: true, cell: (row) => row.path || '–' },
  {
    key: 'port',
    title: t('global-ingress-number'),
    sort: true,
    align: 'right',
    width: 96,
    cell: (row) => <GoTo to={to('global-ingress-port', { team_id: row.teamId, port: row.port })}>{row.port}</GoTo>,
  },
  { key: 'protocol', title: t('global-ingress-protocol'), width: 112, cell: (row) => row.protocol },
  ...(ofAll ? [{ key: 'team', title: t('global-ingress-team'), sort: true, cell: (row: GlobalRule) => row.team }] : []),
  { key: 'stack', title: t('global-ingress-stack'), sort: true, cell: (row) => row.stack },
  { key: 'environment', title: t('global-ingress-cluster'), sort: true, cell: (row) => row.environment },
  {
    key: 'url',
    title: t('global-ingress-address'),
    cell: (row) => (row.url === '' ? '–' : <Copyable text={row.url} />),
    wideOnly: true,
  },
]

const common = (ofAll: boolean) => ({
  rowKey: keyOf,
  nameOf: (row: GlobalRule) => row.service,
  open: serviceOf,
  columns: columnsOf(ofAll),
  search: t('global-ingress-search'),
  empty: { type: 1 as const, title: t('global-ingress-none'), memo: t('global-ingress-none-memo') },
})

/** Ways into all stacks of the team, on all clusters. */
export function GlobalIngressPage() {
  const list = useListState('global-ingress-index', { filters: { protocol: 'all' } })
  const query = useRead(globalIngress.rules, { query: list.query })
  return (
    <ListPage
      title={t('route-global-ingress-index')}
      about={t('global-ingress-about')}
      query={query}
      list={list}
      filters={[byProtocol()]}
      {...common(false)}
    />
  )
}

/** The same for all teams. */
export function EveryRulePage() {
  const list = useListState('sys-global-ingress', { filters: { protocol: 'all' } })
  const query = useRead(globalIngress.every, { query: list.query })
  return (
    <ListPage
      title={t('route-sys-global-ingress')}
      about={t('global-ingress-about-every')}
      query={query}
      list={list}
      filters={[byProtocol()]}
      {...common(true)}
    />
  )
}

const crumbs = () => [{ label: t('route-global-ingress-index'), to: to('global-ingress-index') }]

export function PortRulesPage() {
  const port = useParam('port')
  const list = useListState('global-ingress-port')
  const query = useRead(globalIngress.detail, { query: { ...list.query, port } })
  return (
    <ListPage
      title={t('global-ingress-port', { port })}
      crumbs={crumbs()}
      query={query}
      list={list}
      {...common(false)}
    />
  )
}

export function HostRulesPage() {
  const host = useParam('host')
  const protocol = WayProtocol.catch('HTTP').parse(useParam('protocol'))
  const list = useListState('global-ingress-host')
  const query = useRead(globalIngress.detail, { query: { ...list.query, protocol, host } })
  return <ListPage title={host} crumbs={crumbs()} query={query} list={list} {...common(false)} />
}
