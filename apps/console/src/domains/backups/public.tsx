import { BackupFiles } from './backup-files.tsx'
import { ScheduleForm } from './schedule-form.tsx'

/** Components of the backups domain for other domains. */
export { BackupFiles, ScheduleForm }
