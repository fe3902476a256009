import { hint } from '../topic.ts'

/** A backup begins, ends or is deleted. */
export const backupsTopic = hint({
  path: 'backups',
  access: { system: 'system_setting_view' },
})
