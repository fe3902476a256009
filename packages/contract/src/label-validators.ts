import { z } from 'zod'

/** A label's key: an optional DNS name and a slash, then up to 63 letters, digits, - _ and dots. */
export const labelKey = z
  .string()
  .max(317, 'label-key')
  .regex(/^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/, 'label-key')
export const labelValue = z
  .string()
  .max(63, 'label-value')
  .regex(/^([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?$/, 'label-value')
