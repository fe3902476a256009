import type { AgentRow } from '@gantry/contract/agents/agents'
import { t } from '../../api/language.ts'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'

/** The most important part of an agent's state: an offline agent is shown as offline, paused or not. */
export const stateOfAgent = ({ state, cleaning, paused }: AgentRow): string =>
  cleaning ? 'cleaning' : state === 'online' && paused ? 'paused' : state

export const nameOfAgent = (agent: Pick<AgentRow, 'embedded' | 'name'>): string =>
  agent.embedded ? t('agents-ui-embedded', { name: agent.name }) : agent.name

export const AgentState = ({ agent }: { agent: AgentRow }) => (
  <>
    <StateBadge state={stateOfAgent(agent)} />
    {agent.update !== null && <UpdateMark of={agent.update} />}
  </>
)

const UpdateMark = ({ of }: { of: 'agent' | 'server' }) => (
  <span title={t(`agents-ui-update-${of}`)}>
    <StateBadge state="warning" text={t('agents-ui-update')} />
  </span>
)
