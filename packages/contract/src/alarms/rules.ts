import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { madeOnSet } from '../revision.ts'
import { displayName } from '../validators.ts'
import { ChannelKind } from './channels.ts'
import { AlarmMetric, Condition, Conditions, Severity } from './conditions.ts'
import { alarmsTopic } from './topics.ts'

/** What a rule watches: a service, or all present and future services of a stack. */
export const AlarmMap = z.strictObject({ resource: z.enum(['service', 'stack']), id })
export type AlarmMap = z.infer<typeof AlarmMap>

const maps = z.array(AlarmMap).max(200, 'list-too-long')

export const alarmName = displayName(64)

const fields = {
  name: alarmName,
  enabled: z.boolean().default(true),
  /** Its own conditions, in addition to those of its template. */
  rules: Conditions.default([]),
  templateId: id.nullable().default(null),
  maps: maps.default([]),
  /** The channels that it notifies. */
  channels: z.array(id).max(20, 'list-too-long').default([]),
  /** Hours after which it notifies again while it fires; 0: never. */
  repeatHours: z
    .number()
    .int('alarms-repeat-range')
    .min(0, 'alarms-repeat-range')
    .max(168, 'alarms-repeat-range')
    .default(4),
}

const hasCondition = ({ rules, templateId }: z.output<z.ZodObject<typeof fields>>): boolean =>
  rules.length > 0 || templateId !== null
const hasConditionSaid = { message: 'alarms-no-condition', path: ['rules'] }

export const AlarmRuleInput = z.strictObject(fields).refine(hasCondition, hasConditionSaid)
export type AlarmRuleInput = z.infer<typeof AlarmRuleInput>

/**
 * firing; pending: the condition holds, but not yet for long enough; no-data; ok; off: disabled; idle: nothing that the
 * rule watches runs, or it was not evaluated yet.
 */
export const AlarmState = z.enum(['firing', 'pending', 'no-data', 'ok', 'idle', 'off'])
export type AlarmState = z.infer<typeof AlarmState>

/** The state of one condition for one service. */
export const AlarmStatus = z.object({
  condition: z.string(),
  metric: AlarmMetric,
  severity: Severity,
  state: AlarmState,
  since: z.string(),
  /** The last measured value; null if there is none. */
  value: z.number().nullable(),
  acknowledgedBy: z.string(),
  serviceId: z.number().int(),
  serviceName: z.string(),
  serviceType: z.string(),
  stackId: z.number().int(),
  stackName: z.string(),
  stackUuid: z.string(),
  envId: z.string(),
})
export type AlarmStatus = z.infer<typeof AlarmStatus>

export const AlarmRule = z.object({
  id: z.number().int(),
  teamId: z.number().int(),
  name: z.string(),
  enabled: z.boolean(),
  rules: z.array(Condition),
  templateId: z.number().int().nullable(),
  templateName: z.string(),
  /** Its own conditions and those of its template. */
  conditions: z.array(Condition),
  maps: z.array(
    z.object({
      resource: AlarmMap.shape.resource,
      id: z.number().int(),
      name: z.string(),
      /** The stack of a service. */
      stackName: z.string(),
      envId: z.string(),
      envName: z.string(),
    }),
  ),
  channels: z.array(z.object({ id: z.number().int(), name: z.string(), kind: ChannelKind })),
  repeatHours: z.number().int(),
  /** The worst state of its conditions. */
  state: AlarmState,
  since: z.string().nullable(),
  /** How many firing states it has: each condition counts once per service. */
  firing: z.number().int(),
  /** The worst states, at most 20. */
  states: z.array(AlarmStatus),
  /** It notifies nobody until then. */
  silencedUntil: z.string().nullable(),
  silencedBy: z.string(),
  revision: z.number().int(),
  updatedAt: z.string(),
})
export type AlarmRule = z.infer<typeof AlarmRule>

export const AlarmEvent = z.object({
  id: z.number().int(),
  kind: z.enum(['fired', 'resolved', 'no-data', 'back', 'acknowledged']),
  ruleName: z.string(),
  /** Null: the rule is deleted. */
  ruleId: z.number().int().nullable(),
  condition: Condition,
  value: z.number().nullable(),
  serviceId: z.number().int(),
  serviceName: z.string(),
  serviceType: z.string(),
  stackId: z.number().int(),
  stackName: z.string(),
  stackUuid: z.string(),
  envId: z.string(),
  /** The start of the state that this event ended. */
  since: z.string().nullable(),
  by: z.string(),
  /** The channels that were notified. */
  told: z.array(z.string()),
  at: z.string(),
})
export type AlarmEvent = z.infer<typeof AlarmEvent>

const ofService = z.strictObject({ t: id, e: uuid, s: idOrUuid, svc: id })
const servicePath = '/monitor-api/v2/tenants/:t/environments/:e/stacks/:s/services/:svc'
const rulePath = '/monitor-api/v2/alerts/:alert_id'
const oneRule = z.strictObject({ alert_id: id })
const topics = [alarmsTopic] as const

const may = (verb: 'view' | 'edit' | 'operate' | 'delete') => `monitor_alarm_${verb}`
const ruleOf = (verb: Parameters<typeof may>[0]) => ({ owner: 'alarm-rule', by: 'alert_id', permission: may(verb) })
const teamOf = (team: string, verb: Parameters<typeof may>[0]) => ({ team, permission: may(verb) })

export const historyDays = 90

export const alarmRules = {
  list: endpoint({
    method: 'GET',
    path: '/monitor-api/v1/alerts/:id',
    access: teamOf('id', 'view'),
    summary: 'A team’s alarm rules with their states, those that fire first; sort by state, name or since',
    params: z.strictObject({ id }),
    query: listQuery({ pageSize: 10 }).extend({ state: z.enum(['all', ...AlarmState.options]).optional() }),
    data: listOf(AlarmRule),
    topics,
  }),
  /** Not in the specification. */
  get: endpoint({
    method: 'GET',
    path: rulePath,
    access: ruleOf('view'),
    summary: 'One alarm rule',
    params: oneRule,
    data: AlarmRule,
    topics,
  }),
  create: endpoint({
    method: 'POST',
    path: '/monitor-api/v2/tenants/:team_id/rules',
    access: teamOf('team_id', 'edit'),
    audit: 'alarm-rule.create',
    summary: 'Create an alarm rule',
    params: z.strictObject({ team_id: id }),
    body: AlarmRuleInput,
    data: AlarmRule,
    topics,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/monitor-api/v1/alerts',
    access: { owner: 'alarm-rule', by: 'id', in: 'body', permission: may('edit') },
    audit: 'alarm-rule.update',
    summary: 'Change an alarm rule; refused when someone else saved since `revision`',
    body: z
      .strictObject({ ...fields, id, revision: z.number().int().optional() })
      .refine(hasCondition, hasConditionSaid),
    data: AlarmRule,
    topics,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/monitor-api/v2/tenants/:team_id/alerts/:name',
    access: teamOf('team_id', 'delete'),
    audit: 'alarm-rule.delete',
    summary: 'Delete an alarm rule by its name; what it has seen stays in the history',
    params: z.strictObject({ team_id: id, name: z.string().max(200) }),
    data: z.null(),
    topics,
  }),
  bind: endpoint({
    method: 'PUT',
    path: `${rulePath}/maps`,
    access: ruleOf('edit'),
    audit: 'alarm-rule.bind',
    summary:
      'Set what a rule watches: services, and stacks as a whole; refused when someone else saved since `revision`',
    params: oneRule,
    body: z.strictObject({ maps, revision: z.number().int().optional() }),
    data: AlarmRule,
    topics,
  }),
  /** Not in the specification, like the next call. */
  silence: endpoint({
    method: 'PUT',
    path: `${rulePath}/silence`,
    access: ruleOf('operate'),
    audit: 'alarm-rule.silence',
    summary: 'Have a rule tell nobody for so many minutes; 0 ends that',
    params: oneRule,
    body: z.strictObject({
      minutes: z
        .number()
        .int('alarms-silence-range')
        .min(0, 'alarms-silence-range')
        .max(43_200, 'alarms-silence-range'),
    }),
    data: AlarmRule,
    topics,
  }),
  acknowledge: endpoint({
    method: 'PUT',
    path: `${rulePath}/acknowledge`,
    access: ruleOf('operate'),
    audit: 'alarm-rule.acknowledge',
    summary: 'Say that somebody sees to the alarms of a rule that fire now: they are not told of again',
    params: oneRule,
    data: AlarmRule,
    topics,
  }),
  history: endpoint({
    method: 'GET',
    path: '/monitor-api/v2/tenants/:team_id/alerts-history',
    access: teamOf('team_id', 'view'),
    summary: `What a team’s alarms did within ${historyDays} days, newest first`,
    params: z.strictObject({ team_id: id }),
    query: listQuery({ pageSize: 20 }),
    data: listOf(AlarmEvent),
    topics,
  }),
  ofService: endpoint({
    method: 'GET',
    path: `${servicePath}/maps`,
    access: teamOf('t', 'view'),
    summary: 'The rules that watch a service, by itself or with its stack, and their states about it',
    params: ofService,
    data: z.array(
      z.object({
        ruleId: z.number().int(),
        name: z.string(),
        enabled: z.boolean(),
        via: AlarmMap.shape.resource,
        states: z.array(AlarmStatus),
      }),
    ),
    topics,
  }),
  bindService: endpoint({
    method: 'PUT',
    path: `${servicePath}/maps`,
    access: teamOf('t', 'edit'),
    audit: 'alarm-rule.bind-service',
    summary:
      'Set which rules watch a service by itself; those of its stack go on watching it. `revision`: the ids of those that were shown, in ascending order with commas between, or none',
    params: ofService,
    body: z.strictObject({ maps: z.array(id).max(200, 'list-too-long'), ...madeOnSet }),
    data: z.null(),
    topics,
  }),
  unbindService: endpoint({
    method: 'DELETE',
    path: `${servicePath}/alerts/:ruleId`,
    access: teamOf('t', 'edit'),
    audit: 'alarm-rule.unbind-service',
    summary: 'Have a rule watch a service no longer',
    params: ofService.extend({ ruleId: id }),
    data: z.null(),
    topics,
  }),
  serviceHistory: endpoint({
    method: 'GET',
    path: `${servicePath}/alerts-history`,
    access: teamOf('t', 'view'),
    summary: `What the alarms of a service did within ${historyDays} days, newest first`,
    params: ofService,
    query: listQuery({ pageSize: 10 }).omit({ keyword: true, sort: true }),
    data: listOf(AlarmEvent),
    topics,
  }),
}
