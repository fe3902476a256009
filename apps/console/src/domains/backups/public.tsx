import { BackupFiles } from './backup-files.tsx'
import { ScheduleForm } from './schedule-form.tsx'

/** What other domains may show of backups. */
export { BackupFiles, ScheduleForm }
