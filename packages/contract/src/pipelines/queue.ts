import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { settingsTopic } from '../settings/topics.ts'

/** Why a queued job waits: its position, why each agent does not take it, and what occupies the agent's slots. */
export const QueueEntry = z.object({
  queueId: z.number().int(),
  number: z.number().int(),
  /** The name of the job; empty for the steps of stages without jobs. */
  job: z.string(),
  position: z.number().int(),
  /** Since when it has been waiting for an agent, after a review or the jobs before it. */
  queuedAt: z.string(),
  reason: z.string(),
  agents: z.array(
    z.object({
      name: z.string(),
      reason: z.string(),
      /** The team's builds that occupy slots of the agent. */
      builds: z.array(
        z.object({
          pipelineId: z.number().int(),
          appId: z.number().int(),
          projectName: z.string(),
          number: z.number().int(),
        }),
      ),
      /** The number of slots with builds of other teams, which are not named. */
      others: z.number().int(),
    }),
  ),
})
export type QueueEntry = z.infer<typeof QueueEntry>

export const QueueSettings = z.strictObject({
  /** The number of slots of a shared agent that stay free for other teams; 0: each team may use all free ones. */
  keptPlaces: z.number().int('kept-places').min(0, 'kept-places').max(100, 'kept-places'),
})
export type QueueSettings = z.infer<typeof QueueSettings>

export const queue = {
  get: endpoint({
    method: 'GET',
    path: '/api/system/queue',
    access: { system: 'system_setting_view' },
    summary: 'How teams share the places of build agents',
    data: QueueSettings,
    topics: [settingsTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/system/queue',
    access: 'admin',
    audit: 'queue.update',
    summary: 'Set how many places of a shared build agent are kept for other teams',
    body: QueueSettings,
    data: QueueSettings,
    topics: [settingsTopic],
  }),
}
