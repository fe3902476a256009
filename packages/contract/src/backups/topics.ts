import { z } from 'zod'
import { topic } from '../topic.ts'

/** A backup begins, ends or is deleted. */
export const backupsTopic = topic({
  path: 'backups',
  access: { system: 'system_setting_view' },
  content: z.object({ changed: z.literal('backups') }),
})
