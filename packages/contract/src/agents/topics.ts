import { hint } from '../topic.ts'

/** Agents, what they work on and what waits for them. */
export const agentsTopic = hint({ path: 'agents', access: { system: 'system_agent_view' } })
