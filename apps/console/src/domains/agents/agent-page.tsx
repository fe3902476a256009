import { agents, type AgentDetail } from '@gantry/contract/agents/agents'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Facts, Loaded, type Fact } from '../../ui/detail.tsx'
import { bytes } from '../../ui/format.ts'
import { to, useGo, useParam } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { Screens } from '../../ui/tabs.tsx'
import { ActionMenu } from '../../ui/table/row-actions.tsx'
import { Time } from '../../ui/time.tsx'
import { AgentState, nameOfAgent } from './agent-state.tsx'
import { askAgainMs, JobHistory, QueuedJobs, RunningJobs } from './job-lists.tsx'
import { useAgentActions } from './use-agent-actions.tsx'

const screens = { jobs: RunningJobs, queues: QueuedJobs, history: JobHistory } as const
type Screen = keyof typeof screens
const names = Object.keys(screens) as Screen[]

/** One agent: its data, its running jobs, those that wait for it, and its past jobs. */
export function AgentPage() {
  const go = useGo()
  const id = Number(useParam('agent_id'))
  const tab = useParam('tab')
  const screen = names.find((name) => name === tab) ?? 'jobs'
  const query = useRead(agents.get, { params: { id } }, { every: askAgainMs })
  const { actionsOf, dialog } = useAgentActions(() => go(to('sys-agents'), { replace: true }))
  const agent = query.data
  const List = screens[screen]
  return (
    <Page
      title={agent ? nameOfAgent(agent) : '…'}
      crumbs={[{ label: t('route-sys-agents'), to: to('sys-agents') }]}
      about={agent && <AgentState agent={agent} />}
      actions={agent && <ActionMenu label={t('ui-actions-of', { name: agent.name })} actions={actionsOf(agent)} />}
    >
      <Loaded query={query}>
        {(agent) => (
          <>
            {agent.update !== null && <p className="g-note g-note-warn">{t(`agents-ui-update-${agent.update}`)}</p>}
            {agent.waits !== '' && agent.state === 'online' && (
              <p className="g-note g-note-warn">{t('agents-ui-waits', { why: agent.waits })}</p>
            )}
            <Facts facts={factsOf(agent)} />
            <Screens
              label={t('agents-ui-screens')}
              current={screen}
              screens={names.map((name) => ({
                key: name,
                label: t(`agents-ui-${name}`),
                to: to('sys-agent', { agent_id: id, tab: name }),
              }))}
            />
            <List key={screen} id={id} />
          </>
        )}
      </Loaded>
      {dialog}
    </Page>
  )
}

function labelsOf({ givenLabels, ownLabels }: AgentDetail): string {
  const parts = [
    givenLabels.length > 0 && t('agents-ui-of-server', { labels: givenLabels.join(', ') }),
    ownLabels.length > 0 && t('agents-ui-of-agent', { labels: ownLabels.join(', ') }),
  ]
  return parts.filter(Boolean).join(' · ')
}

function factsOf(agent: AgentDetail): Fact[] {
  const { machine, offline, tokenUntil, cleanedAt } = agent
  const facts: (Fact | false)[] = [
    offline !== null && {
      label: t('agents-ui-offline-since'),
      value: (
        <>
          <Time at={offline.since} /> · {t('agents-ui-offline-version', { version: offline.version })}
        </>
      ),
    },
    tokenUntil !== null && { label: t('agents-ui-token-until'), value: <Time at={tokenUntil} /> },
    offline === null && { label: t('agents-ui-seen'), value: agent.lastSeenAt && <Time at={agent.lastSeenAt} /> },
    { label: t('agents-ui-running'), value: `${agent.running} / ${agent.capacity}` },
    { label: t('agents-ui-team'), value: agent.teamName || t('agents-ui-team-all') },
    agent.environmentName !== '' && { label: t('agents-ui-cluster'), value: agent.environmentName },
    { label: t('agents-ui-labels'), value: labelsOf(agent) },
    {
      label: t('agents-ui-executors'),
      value: agent.executors.map((executor) => t(`agents-ui-executor-${executor}`)).join(', '),
    },
    {
      label: t('agents-ui-isolation'),
      value: agent.lastSeenAt && t(agent.isolated ? 'agents-ui-isolated' : 'agents-ui-bare'),
    },
    { label: t('agents-ui-version'), value: agent.version },
    { label: t('agents-ui-protocol'), value: agent.protocol },
    cleanedAt !== null && { label: t('agents-ui-cleaned'), value: <Time at={cleanedAt} /> },
    machine !== null && {
      label: t('agents-ui-machine'),
      wide: true,
      value: `${machine.name} · ${machine.system} ${machine.architecture} · ${t('agents-ui-machine-size', {
        cpus: machine.cpus,
        memory: bytes(machine.memory),
        free: bytes(machine.diskFree),
        disk: bytes(machine.disk),
      })}`,
    },
  ]
  return facts.filter((fact) => fact !== false)
}
