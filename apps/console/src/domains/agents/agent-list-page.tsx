import { agents, type AgentRow } from '@gantry/contract/agents/protocol'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Page } from '../../ui/page.tsx'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { Time } from '../../ui/time.tsx'

/** Agents change without any action on this page. */
const askAgainMs = 5000

export function AgentListPage() {
  const query = useRead(agents.list, {}, { every: askAgainMs })
  return (
    <Page title={t('route-sys-agents')} about={t('agents-ui-about')}>
      <ResourceTable
        label={t('route-sys-agents')}
        query={query}
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        columns={[
          { key: 'name', title: t('agents-ui-name'), cell: nameOf },
          { key: 'state', title: t('agents-ui-state'), cell: (row) => <StateBadge state={row.state} /> },
          {
            key: 'running',
            title: t('agents-ui-running'),
            cell: (row) => <span className="g-num">{`${row.running} / ${row.capacity}`}</span>,
          },
          { key: 'labels', title: t('agents-ui-labels'), cell: (row) => row.labels.join(', ') || '–', wideOnly: true },
          { key: 'system', title: t('agents-ui-system'), cell: (row) => row.osType || '–' },
          {
            key: 'executors',
            title: t('agents-ui-executors'),
            cell: (row) => row.executors.map((executor) => t(`agents-ui-executor-${executor}`)).join(', ') || '–',
            wideOnly: true,
          },
          { key: 'isolated', title: t('agents-ui-isolation'), cell: Isolation },
          { key: 'version', title: t('agents-ui-version'), cell: (row) => row.version || '–', wideOnly: true },
          { key: 'seen', title: t('agents-ui-seen'), cell: (row) => <Time at={row.lastSeenAt} /> },
        ]}
        empty={{ type: 6, title: t('agents-ui-none'), memo: t('agents-ui-none-memo') }}
      />
    </Page>
  )
}

const nameOf = (agent: AgentRow): string =>
  agent.embedded ? t('agents-ui-embedded', { name: agent.name }) : agent.name

/** An agent without isolation takes administrators' builds only; before its first report nothing is known. */
function Isolation(agent: AgentRow) {
  if (agent.state === 'never') return '–'
  return agent.isolated ? t('agents-ui-isolated') : <span title={t('agents-ui-bare-memo')}>{t('agents-ui-bare')}</span>
}
