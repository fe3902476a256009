import { hint } from '../topic.ts'

/** A team's alarms: one fired or ended, or rules, templates or channels changed. */
export const alarmsTopic = hint({
  path: 'alarms/:teamId',
  access: { team: 'teamId', permission: 'monitor_alarm_view' },
})
