import { z } from 'zod'
import { topic } from '../topic.ts'

/** Settings of Kafka change, or the sending of audit records stops or goes on. */
export const kafkaTopic = topic({
  path: 'kafka',
  access: { system: 'system_setting_view' },
  content: z.object({ changed: z.literal('kafka') }),
})

/** Collectors of logs are chosen, set up or removed. */
export const collectorsTopic = topic({
  path: 'log-collectors',
  access: { system: 'system_setting_view' },
  content: z.object({ changed: z.literal('log-collectors') }),
})
