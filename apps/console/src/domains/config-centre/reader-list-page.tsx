import { configReaders, type ConfigReader } from '@gantry/contract/config-centre/readers'
import { t } from '../../api/language.ts'
import { useRead } from '../../api/hooks.ts'
import { Button } from '../../ui/button.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { GoTo, to, useTeamId } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'

const toService = (row: ConfigReader) =>
  to('containers', {
    env_id: row.envId,
    stack_id: row.stackId,
    stack_uuid: row.stackUuid,
    stack_name: row.stack,
    service_id: row.serviceId,
    service_name: row.service,
    service_type: row.type,
    from: 'appcenter',
  })

const readsOf = ({ env, templates }: ConfigReader): string =>
  [...(env ? [t('config-ui-as-variables')] : []), ...templates].join(', ')

const sought = ['project', 'profile', 'template'] as const

/** The stacks and services of the team that read a configuration. */
export function ReaderListPage() {
  const teamId = useTeamId()
  const list = useListState('config-app', { filters: { project: '', profile: '', template: '' } })
  const query = useRead(configReaders.list, { params: { teamId }, query: list.query })
  const only = sought.map((name) => list.filters[name] ?? '').filter((name) => name !== '')
  return (
    <ListPage
      title={t('route-config-app')}
      about={t('config-ui-app-about')}
      query={query}
      list={list}
      rowKey={(row) => row.serviceId}
      nameOf={(row) => `${row.stack}/${row.service}`}
      search={t('config-ui-app-search')}
      toolbar={
        only.length > 0 && (
          <Button icon="close" onClick={list.clear}>
            {t('config-ui-app-of', { name: only.join('/') })}
          </Button>
        )
      }
      open={toService}
      columns={[
        { key: 'service', title: t('config-ui-service'), sort: true, mono: true, cell: (row) => row.service },
        { key: 'stack', title: t('config-ui-stack'), sort: true, mono: true, cell: (row) => row.stack },
        {
          key: 'cluster',
          title: t('config-ui-cluster'),
          sort: true,
          wideOnly: true,
          cell: (row) => row.cluster,
        },
        {
          key: 'project',
          title: t('config-ui-profile'),
          sort: true,
          mono: true,
          cell: (row) => (
            <GoTo to={to('config-manage', {}, { project: row.project })}>{`${row.project}/${row.profile}`}</GoTo>
          ),
        },
        { key: 'reads', title: t('config-ui-reads'), wideOnly: true, cell: readsOf },
        { key: 'state', title: t('config-ui-state'), width: 120, cell: (row) => <StateBadge state={row.state} /> },
        {
          key: 'current',
          title: t('config-ui-current'),
          width: 132,
          cell: (row) => (
            <StateBadge
              state={row.current ? 'done' : 'waiting'}
              text={t(row.current ? 'config-ui-current-yes' : 'config-ui-current-no')}
            />
          ),
        },
      ]}
      empty={{ type: 1, title: t('config-ui-app-none'), memo: t('config-ui-app-none-memo') }}
    >
      <p className="g-faint">{t('config-ui-current-help')}</p>
    </ListPage>
  )
}
