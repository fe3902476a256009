import { z } from 'zod'

/** Five fields: minute, hour, day of the month, month, day of the week. */
export const cronText = z
  .string()
  .trim()
  .max(100, { error: 'cron-five-fields', abort: true })
  .regex(/^\S+( +\S+){4}$/, 'cron-five-fields')
export const zoneName = z.string().min(1, 'zone-unknown').max(60, 'zone-unknown')
