import { hint } from '../topic.ts'

/** Alarms of a team began or ended, or somebody changed what is watched, or who is told. */
export const alarmsTopic = hint({
  path: 'alarms/:teamId',
  access: { team: 'teamId', permission: 'monitor_alarm_view' },
})
