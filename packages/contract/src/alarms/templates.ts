import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { displayName } from '../validators.ts'
import { Condition, Conditions } from './conditions.ts'
import { alarmsTopic } from './topics.ts'

export const AlarmTemplateInput = z.strictObject({
  /** The template to change; absent: a new one. */
  id: id.optional(),
  name: displayName(64),
  rules: Conditions.min(1, 'alarms-no-condition'),
  revision: z.number().int().optional(),
})
export type AlarmTemplateInput = z.infer<typeof AlarmTemplateInput>

export const AlarmTemplate = z.object({
  id: z.number().int(),
  name: z.string(),
  rules: z.array(Condition),
  /** The number of rules that use it. */
  used: z.number().int(),
  revision: z.number().int(),
  updatedAt: z.string(),
})
export type AlarmTemplate = z.infer<typeof AlarmTemplate>

const path = '/monitor-api/v2/tenants/:team_id/templates'
const topics = [alarmsTopic] as const

export const alarmTemplates = {
  list: endpoint({
    method: 'GET',
    path: '/monitor-api/v1/templates/:id',
    access: { team: 'id', permission: 'monitor_alarm_view' },
    summary: 'Conditions that a team’s alarm rules share',
    params: z.strictObject({ id }),
    query: listQuery({ pageSize: 10 }),
    data: listOf(AlarmTemplate),
    topics,
  }),
  save: endpoint({
    method: 'POST',
    path,
    access: { team: 'team_id', permission: 'monitor_alarm_edit' },
    audit: 'alarm-template.save',
    summary: 'Create a template; with `id`, change that one for all rules that have it',
    params: z.strictObject({ team_id: id }),
    body: AlarmTemplateInput,
    data: AlarmTemplate,
    topics,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:ID`,
    access: { team: 'team_id', permission: 'monitor_alarm_delete' },
    audit: 'alarm-template.delete',
    summary: 'Delete a template that no rule has',
    params: z.strictObject({ team_id: id, ID: id }),
    data: z.null(),
    topics,
  }),
}
