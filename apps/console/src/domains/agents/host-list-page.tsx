import { agents } from '@gantry/contract/agents/agents'
import { Fragment } from 'react'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { bytes } from '../../ui/format.ts'
import { GoTo, to } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { Time } from '../../ui/time.tsx'
import { askAgainMs } from './job-lists.tsx'

/** The machines that agents run on. */
export function HostListPage() {
  const list = useListState('sys-cd-hosts')
  const query = useRead(agents.hosts, { query: list.query }, { every: askAgainMs })
  const size = (key: 'memory' | 'disk', title: string, wideOnly: boolean) => ({
    key,
    title,
    sort: true,
    wideOnly,
    cell: (row: { memory: number; disk: number }) => <span className="g-num">{bytes(row[key])}</span>,
  })
  return (
    <ListPage
      title={t('route-sys-cd-hosts')}
      about={t('agents-ui-hosts-about')}
      query={query}
      list={list}
      search={t('agents-ui-hosts-search')}
      rowKey={(row) => row.name}
      nameOf={(row) => row.name}
      columns={[
        { key: 'name', title: t('agents-ui-host'), sort: true, cell: (row) => row.name },
        {
          key: 'agents',
          title: t('agents-ui-agents'),
          cell: (row) =>
            row.agents.map((agent, at) => (
              <Fragment key={agent.id}>
                {at > 0 && ', '}
                <GoTo to={to('sys-agent', { agent_id: agent.id, tab: 'jobs' })}>{agent.name}</GoTo>
              </Fragment>
            )),
        },
        {
          key: 'system',
          title: t('agents-ui-system'),
          sort: true,
          cell: (row) => `${row.system} ${row.architecture}`,
          wideOnly: true,
        },
        {
          key: 'cpus',
          title: t('agents-ui-cpus'),
          sort: true,
          cell: (row) => <span className="g-num">{row.cpus}</span>,
        },
        size('memory', t('agents-ui-memory'), false),
        size('disk', t('agents-ui-disk'), true),
        {
          key: 'diskFree',
          title: t('agents-ui-disk-free'),
          sort: true,
          cell: (row) => <span className="g-num">{bytes(row.diskFree)}</span>,
        },
        { key: 'seen', title: t('agents-ui-seen'), cell: (row) => <Time at={row.seenAt} />, wideOnly: true },
      ]}
      empty={{ type: 6, title: t('agents-ui-hosts-none'), memo: t('agents-ui-hosts-none-memo') }}
    />
  )
}
