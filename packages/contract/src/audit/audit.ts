import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { listOf, listQuery } from '../paging.ts'
import { settingsTopic } from '../settings/topics.ts'

export const AuditRow = z.object({
  id: z.number().int(),
  userId: z.number().int(),
  username: z.string(),
  ip: z.string(),
  teamId: z.number().int().nullable(),
  teamName: z.string(),
  method: z.string(),
  url: z.string(),
  /** The action's name, such as `pipeline.create`. */
  apiValue: z.string(),
  /** The action in the caller's language. */
  action: z.string(),
  object: z.string(),
  /** 1: done; 0: refused or failed. */
  result: z.union([z.literal(0), z.literal(1)]),
  msg: z.string(),
  startTime: z.string(),
  durationMs: z.number(),
  /** The phrase of `msg` in the caller's language; empty on success. */
  reason: z.string(),
})
export type AuditRow = z.infer<typeof AuditRow>

const time = z.coerce.number().int().min(0, 'time-invalid').max(8_640_000_000_000_000, 'time-invalid')

/** Actions that consoles do without a user: they would fill the log. */
export const routineActions: readonly string[] = ['session.refresh', 'notification.read', 'notification.keep-error']

const filters = {
  teamName: z.string().max(100).optional(),
  msg: z.string().max(200).optional(),
  /** 0: no account, that is a visitor or the product itself. */
  userId: z.coerce.number().int('id-invalid').min(0, 'id-invalid').max(2_147_483_647, 'id-invalid').optional(),
  result: z.enum(['0', '1']).optional(),
  url: z.string().max(500).optional(),
  apiValue: z.string().max(100).optional(),
  /** `hide` omits the routine actions of consoles, such as renewing a session. */
  routine: z.enum(['show', 'hide']).default('show'),
  /** Epoch milliseconds; 0: no limit. */
  startTime: time.default(0),
  endTime: time.default(0),
}
const inOrder = (q: { startTime: number; endTime: number }): boolean =>
  q.startTime === 0 || q.endTime === 0 || q.startTime <= q.endTime

export const audit = {
  search: endpoint({
    method: 'GET',
    path: '/api/audit-logs/search',
    access: 'user',
    asks: ['team_audit_view', 'system_audit_view'],
    summary: 'Audit rows that one may see: an administrator all, a leader the team’s, a member their own',
    query: listQuery({ pageSize: 10 }).extend(filters).refine(inOrder, 'time-range-invalid'),
    data: listOf(AuditRow),
  }),
  /** Not in the specification: the state before and after, with secrets masked. */
  get: endpoint({
    method: 'GET',
    path: '/api/audit-logs/:id',
    access: 'user',
    asks: ['team_audit_view', 'system_audit_view'],
    summary: 'One audit row that one may see, with what it changed',
    params: z.strictObject({
      id: z.coerce.number().int().min(1, 'id-invalid').max(Number.MAX_SAFE_INTEGER, 'id-invalid'),
    }),
    data: AuditRow.extend({ requestId: z.string(), before: z.unknown(), after: z.unknown() }),
  }),
  /** Not in the specification. Up to 100,000 rows; cells that a spreadsheet would run get an apostrophe in front. */
  csv: endpoint({
    method: 'GET',
    path: '/api/audit-logs/csv',
    access: 'user',
    asks: ['team_audit_view', 'system_audit_view'],
    audit: 'audit.export',
    summary: 'The rows of a search as CSV',
    query: z
      .strictObject({ ...filters, keyword: z.string().max(200).optional() })
      .refine(inOrder, 'time-range-invalid'),
    stream: 'text/csv; charset=utf-8',
    data: z.unknown(),
    topics: [],
  }),
  retention: endpoint({
    method: 'GET',
    path: '/api/system/audit',
    access: { system: 'system_setting_view' },
    summary: 'How long audit rows are kept',
    data: z.object({ days: z.number().int() }),
    topics: [settingsTopic],
  }),
  setRetention: endpoint({
    method: 'PUT',
    path: '/api/system/audit',
    access: 'admin',
    audit: 'audit.set-retention',
    summary: 'Set how long audit rows are kept: 30 to 3650 days',
    body: z.strictObject({ days: z.number().int('audit-days').min(30, 'audit-days').max(3650, 'audit-days') }),
    data: z.object({ days: z.number().int() }),
    topics: [settingsTopic],
  }),
}
