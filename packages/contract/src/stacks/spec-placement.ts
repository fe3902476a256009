import { z } from 'zod'
import { serviceName } from '../validators.ts'
import { labelKey, labelValue } from '../label-validators.ts'

const ofTheProduct = 'gantry.dev/'
const ofTheSpecification = new Set(['app', 'io.wise2c.stack', 'io.wise2c.service'])

/** Labels reserved by the specification and the product: users cannot set them, screens and domains read them. */
export const isReservedLabel = (key: string): boolean => key.startsWith(ofTheProduct) || ofTheSpecification.has(key)

/** Labels that the product sets on every object it creates. */
const set = new Set(['app.kubernetes.io/name', 'app.kubernetes.io/managed-by'])
const ownKey = labelKey.refine((key) => !isReservedLabel(key) && !set.has(key), 'label-reserved')

const unique =
  <T>(of: (row: T) => string) =>
  (rows: readonly T[]) =>
    new Set(rows.map(of)).size === rows.length

/** Labels of a service's pods, for selectors. */
export const Labels = z
  .array(z.strictObject({ key: ownKey, value: labelValue.default('') }))
  .max(50, 'list-too-long')
  .refine(
    unique<{ key: string }>(({ key }) => key),
    'labels-unique',
  )

/** Annotations of a service's pods, for other programs of the cluster. */
export const Annotations = z
  .array(
    z.strictObject({
      key: ownKey,
      value: z.string().max(10_000, 'value-too-long').default(''),
    }),
  )
  .max(50, 'list-too-long')
  .refine(
    unique<{ key: string }>(({ key }) => key),
    'annotations-unique',
  )

/** Taints that pods of teams never tolerate: dedicated hosts, control planes, hosts in maintenance. */
const isGuarded = (key: string): boolean =>
  key.startsWith(ofTheProduct) ||
  key.startsWith('node-role.kubernetes.io/') ||
  key === 'node.kubernetes.io/unschedulable'

const services = z
  .array(serviceName)
  .max(20, 'list-too-long')
  .refine(
    unique<string>((name) => name),
    'services-unique',
  )

/** The hosts on which a service's pods run. */
export const Placement = z.strictObject({
  /** The hosts' operating system; absent: Linux. */
  os: z.enum(['linux', 'windows']).optional(),
  /** Labels that the hosts must all have, or with `not` must not have. */
  hosts: z
    .array(
      z.strictObject({
        key: labelKey.refine((key) => key !== 'kubernetes.io/hostname', 'host-key-reserved'),
        /** One of these values; empty: any value. */
        values: z.array(labelValue).max(20, 'list-too-long').default([]),
        not: z.boolean().default(false),
      }),
    )
    .max(20, 'list-too-long')
    .optional(),
  /** Only hosts of this availability zone. */
  zone: labelValue.min(1, 'zone-name-required').optional(),
  /** Run on the hosts of these services of the stack. */
  beside: services.optional(),
  /** Do not run on the hosts of these services of the stack. */
  apart: services.optional(),
  /** Evenly over hosts or zones, as far as possible. */
  spread: z.enum(['hosts', 'zones']).optional(),
  tolerations: z
    .array(
      z.strictObject({
        key: labelKey.refine((key) => !isGuarded(key), 'toleration-guarded'),
        /** Absent: any value of the taint. */
        value: labelValue.optional(),
        /** Absent: every effect. */
        effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
      }),
    )
    .max(20, 'list-too-long')
    .optional(),
})
export type Placement = z.infer<typeof Placement>
