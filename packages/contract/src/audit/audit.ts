import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { listOf, listQuery } from '../paging.ts'

export const AuditRow = z.object({
  id: z.number().int(),
  userId: z.number().int(),
  username: z.string(),
  ip: z.string(),
  teamId: z.number().int().nullable(),
  teamName: z.string(),
  method: z.string(),
  url: z.string(),
  /** The action's name: `pipeline.create`. */
  apiValue: z.string(),
  object: z.string(),
  /** 1 done, 0 refused or failed. */
  result: z.union([z.literal(0), z.literal(1)]),
  msg: z.string(),
  startTime: z.string(),
  durationMs: z.number(),
})
export type AuditRow = z.infer<typeof AuditRow>

const time = z.coerce.number().int().min(0, 'time-invalid').max(8_640_000_000_000_000, 'time-invalid')

export const audit = {
  search: endpoint({
    method: 'GET',
    path: '/api/audit-logs/search',
    access: 'user',
    summary: 'Audit rows that one may see: an administrator all, a leader the team’s, a member their own',
    query: listQuery({ pageSize: 10 })
      .extend({
        teamName: z.string().max(100).optional(),
        msg: z.string().max(200).optional(),
        userId: z.coerce.number().int().optional(),
        result: z.enum(['0', '1']).optional(),
        url: z.string().max(500).optional(),
        apiValue: z.string().max(100).optional(),
        /** Epoch milliseconds, 0 = open. */
        startTime: time.default(0),
        endTime: time.default(0),
      })
      .refine((q) => q.startTime === 0 || q.endTime === 0 || q.startTime <= q.endTime, 'time-range-invalid'),
    data: listOf(AuditRow),
  }),
}
