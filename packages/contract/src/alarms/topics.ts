import { z } from 'zod'
import { topic } from '../topic.ts'

/** Alarms of a team began or ended, or somebody changed what is watched, or who is told. */
export const alarmsTopic = topic({
  path: 'alarms/:teamId',
  access: { team: 'teamId', permission: 'monitor_alarm_view' },
  content: z.object({ changed: z.enum(['rules', 'states']) }),
})
