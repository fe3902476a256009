import { agents, type AgentRow } from '@gantry/contract/agents/agents'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { to, useGo } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { Time } from '../../ui/time.tsx'
import { AgentState, nameOfAgent } from './agent-state.tsx'
import { askAgainMs } from './job-lists.tsx'
import { useAgentActions } from './use-agent-actions.tsx'

export function AgentListPage() {
  const go = useGo()
  const query = useRead(agents.list, {}, { every: askAgainMs })
  const { actionsOf, dialog } = useAgentActions()
  return (
    <ListPage
      title={t('route-sys-agents')}
      about={t('agents-ui-about')}
      add={{ label: t('agents-ui-add'), onClick: () => go(to('sys-agent-add')) }}
      query={query}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      open={(row) => to('sys-agent', { agent_id: row.id, tab: 'jobs' })}
      actions={actionsOf}
      columns={[
        { key: 'name', title: t('agents-ui-name'), cell: nameOfAgent },
        { key: 'state', title: t('agents-ui-state'), cell: (row) => <AgentState agent={row} /> },
        {
          key: 'running',
          title: t('agents-ui-running'),
          cell: (row) => <span className="g-num">{`${row.running} / ${row.capacity}`}</span>,
        },
        { key: 'labels', title: t('agents-ui-labels'), cell: (row) => row.labels.join(', ') || '–', wideOnly: true },
        {
          key: 'team',
          title: t('agents-ui-team'),
          cell: (row) => row.teamName || t('agents-ui-team-all'),
          wideOnly: true,
        },
        { key: 'system', title: t('agents-ui-system'), cell: (row) => row.osType || '–', wideOnly: true },
        { key: 'isolated', title: t('agents-ui-isolation'), cell: Isolation, wideOnly: true },
        { key: 'version', title: t('agents-ui-version'), cell: (row) => row.version || '–', wideOnly: true },
        { key: 'seen', title: t('agents-ui-seen'), cell: (row) => <Time at={row.lastSeenAt} /> },
      ]}
      empty={{ type: 6, title: t('agents-ui-none'), memo: t('agents-ui-none-memo') }}
    >
      {dialog}
    </ListPage>
  )
}

/** An agent without isolation takes administrators' builds only; unknown before its first report. */
function Isolation(agent: AgentRow) {
  if (agent.state === 'never') return '–'
  return agent.isolated ? t('agents-ui-isolated') : <span title={t('agents-ui-bare-memo')}>{t('agents-ui-bare')}</span>
}
