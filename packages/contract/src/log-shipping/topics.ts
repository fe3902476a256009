import { hint } from '../topic.ts'

/** Settings of Kafka change, or the sending of audit records stops or goes on. */
export const kafkaTopic = hint({
  path: 'kafka',
  access: { system: 'system_setting_view' },
})

/** Collectors of logs are chosen, set up or removed. */
export const collectorsTopic = hint({
  path: 'log-collectors',
  access: { system: 'system_setting_view' },
})
