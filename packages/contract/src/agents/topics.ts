import { hint } from '../topic.ts'

/** Agents, their jobs, and the jobs that wait for them. */
export const agentsTopic = hint({ path: 'agents', access: { system: 'system_agent_view' } })
