import { hint } from '../topic.ts'

/** The settings of Kafka changed, or sending audit records stopped or resumed. */
export const kafkaTopic = hint({
  path: 'kafka',
  access: { system: 'system_setting_view' },
})

/** A log collector was selected, set up or removed. */
export const collectorsTopic = hint({
  path: 'log-collectors',
  access: { system: 'system_setting_view' },
})
