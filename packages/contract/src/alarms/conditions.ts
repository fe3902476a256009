import { z } from 'zod'

/**
 * CPU and memory of the service's busiest instance, in percent of its main container's limit; instances that should be
 * ready and are not; restarts within 15 minutes.
 */
export const AlarmMetric = z.enum(['cpu_percent', 'memory_percent', 'unavailable', 'restarts'])
export type AlarmMetric = z.infer<typeof AlarmMetric>

export const Operator = z.enum(['>', '>=', '<', '<='])
export type Operator = z.infer<typeof Operator>

export const Severity = z.enum(['warning', 'critical'])
export type Severity = z.infer<typeof Severity>

export const Condition = z.strictObject({
  metric: AlarmMetric,
  operator: Operator.default('>'),
  threshold: z.number('field-required').min(0, 'alarms-threshold-range').max(10_000, 'alarms-threshold-range'),
  /** Minutes for which the condition must hold before it fires. */
  for: z.number('field-required').int('alarms-for-range').min(0, 'alarms-for-range').max(1440, 'alarms-for-range'),
  severity: Severity.default('warning'),
})
export type Condition = z.infer<typeof Condition>

/** Identifies a condition within a rule. */
export const conditionKey = ({ metric, operator, threshold, severity }: Condition): string =>
  `${metric} ${operator} ${threshold} ${severity}`

export const maxConditions = 20

export const Conditions = z
  .array(Condition)
  .max(maxConditions, 'list-too-long')
  .refine((all) => new Set(all.map(conditionKey)).size === all.length, 'alarms-condition-twice')
