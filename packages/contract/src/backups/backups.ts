import { z } from 'zod'
import { cronText, zoneName } from '../cron-validators.ts'
import { endpoint } from '../endpoint.ts'
import { listOf, listQuery } from '../paging.ts'
import { backupsTopic } from './topics.ts'
import { settingsTopic } from '../settings/topics.ts'

/** When backups of the database are made, and how many of the scheduled ones are kept. */
export const BackupSettings = z.strictObject({
  enabled: z.boolean(),
  cron: cronText,
  zone: zoneName,
  /** The number of scheduled backups to keep, the newest; manual ones stay until somebody deletes them. */
  keep: z.number('backups-keep').int('backups-keep').min(1, 'backups-keep').max(100, 'backups-keep'),
})
export type BackupSettings = z.infer<typeof BackupSettings>

/** With the revision on which an edit is based. */
const Saved = BackupSettings.extend({
  revision: z.number().int(),
  /** Null: no backup is scheduled. */
  nextAt: z.string().nullable(),
})
export type SavedBackupSettings = z.infer<typeof Saved>

export const BackupState = z.enum(['waiting', 'running', 'done', 'failed'])

export const BackupFile = z.object({
  id: z.uuid(),
  cause: z.enum(['schedule', 'hand']),
  state: BackupState,
  /** The user who started it; empty: the schedule. */
  by: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  /** Compressed size in bytes; null until it is done. */
  size: z.number().nullable(),
  /** Checksum of the file, in hex; empty until it is done. */
  sha256: z.string(),
  /** The release that made it; this release and later ones can restore it. */
  release: z.string(),
  /** Why it failed, in the caller's language. */
  problem: z.string(),
})
export type BackupFile = z.infer<typeof BackupFile>

const params = z.strictObject({ id: z.uuid('id-invalid') })

export const backups = {
  settings: endpoint({
    method: 'GET',
    path: '/backup-restore/backup',
    access: { system: 'system_setting_view' },
    summary: 'When backups of the database are made, and how many are kept',
    data: Saved,
    topics: [settingsTopic],
  }),
  saveSettings: endpoint({
    method: 'PUT',
    path: '/backup-restore/backup',
    access: 'admin',
    audit: 'backup.schedule',
    summary: 'Set when backups of the database are made, and how many are kept',
    body: BackupSettings.extend({ revision: z.number().int() }),
    data: Saved,
    topics: [settingsTopic],
  }),
  list: endpoint({
    method: 'GET',
    path: '/backup-restore/backupfile',
    access: { system: 'system_setting_view' },
    summary: 'The backups of the database, newest first',
    query: listQuery().omit({ keyword: true, sort: true }),
    data: listOf(BackupFile),
    topics: [backupsTopic],
  }),
  /** Not in the specification. */
  create: endpoint({
    method: 'POST',
    path: '/backup-restore/backupfile',
    access: 'admin',
    audit: 'backup.create',
    summary: 'Make a backup of the database now. One is made at a time',
    data: BackupFile,
    topics: [backupsTopic],
  }),
  /** Not in the specification. Authorized by a ticket or a bearer token. */
  file: endpoint({
    method: 'GET',
    path: '/backup-restore/backupfile/:id/content',
    access: 'admin',
    audit: 'backup.download',
    summary: 'The file of a backup: compressed SQL, which `npm run admin -- restore` reads',
    params,
    stream: 'application/gzip',
    data: z.unknown(),
    topics: [],
  }),
  /** Not in the specification. */
  remove: endpoint({
    method: 'DELETE',
    path: '/backup-restore/backupfile/:id',
    access: 'admin',
    audit: 'backup.delete',
    summary: 'Delete a backup and its file. One that is being made cannot be deleted',
    params,
    data: z.null(),
    topics: [backupsTopic],
  }),
}
