import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const QueueSettings = z.strictObject({
  /** How many slots of a shared agent are kept free for other teams; 0: each team may take all free ones. */
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
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/system/queue',
    access: 'admin',
    audit: 'queue.update',
    summary: 'Set how many places of a shared build agent are kept for other teams',
    body: QueueSettings,
    data: QueueSettings,
  }),
}
