/** Backups of the product's own database. */
export const en = {
  'backups-keep': 'Keep between 1 and 100 backups',
  'backups-settings-changed':
    'Someone else has changed the schedule in the meantime. Reload and make your change again.',
  'backups-running': 'A backup is being made. Wait until it has ended.',
  'backups-no-file': 'This backup has no file: it is not done, or it failed',
  'backups-failed': 'The backup could not be made. The server’s log says why; try again once that is mended.',
  'backups-failed-told': 'The backup of the database failed: {cause}',

  // Screen
  'backups-ui-tab': 'Backup',
  'backups-ui-schedule': 'Backups on schedule',
  'backups-ui-about':
    'A backup has everything that is in the database: people, teams, pipelines, builds and their history, stacks, clusters and settings. Logs and files of builds, charts and open sessions are not in it.',
  'backups-ui-enabled': 'Make backups on schedule',
  'backups-ui-cron': 'When',
  'backups-ui-cron-help': 'Five fields: minute, hour, day of the month, month, day of the week',
  'backups-ui-zone': 'Time zone',
  'backups-ui-keep': 'Backups to keep',
  'backups-ui-keep-help': 'Older ones made on schedule are deleted. Those made by hand stay.',
  'backups-ui-next': 'The next one',
  'backups-ui-files': 'Backups',
  'backups-ui-files-about':
    'They are stored where logs and files of builds are. Download them to a safe place, together with the installation’s key: without it, a restored installation cannot read its passwords and tokens.',
  'backups-ui-restore':
    'To restore one, run {command} on the server, with an empty database or data folder. The manual says how.',
  'backups-ui-manual': 'Read how to restore',
  'backups-ui-now': 'Back up now',
  'backups-ui-made': 'Made',
  'backups-ui-cause': 'By',
  'backups-ui-by-schedule': 'the schedule',
  'backups-ui-state': 'State',
  'backups-ui-state-waiting': 'Waiting',
  'backups-ui-state-running': 'Being made',
  'backups-ui-state-done': 'Done',
  'backups-ui-state-failed': 'Failed',
  'backups-ui-size': 'Size',
  'backups-ui-release': 'Release',
  'backups-ui-download': 'Download',
  'backups-ui-delete-title': 'Delete the backup of {time}?',
  'backups-ui-delete-memo': 'Its file is deleted too. It cannot be undone.',
  'backups-ui-none': 'No backups yet',
  'backups-ui-none-memo': 'Make the first one now, or set a schedule above.',

  // npm run admin -- restore
  'backups-restored': 'Restored the backup of {time}. Everybody has to log in again.',
  'backups-file-unreadable': '{file} cannot be read: {reason}',
} as const
