import { z } from 'zod'
import { id } from '../ids.ts'
import { stepIndex } from './events.ts'

/** What calls about a job that an agent holds have in common. */

export const heldJob = z.strictObject({ jobId: id })
export const attempt = z.coerce.number().int().min(1)
export const step = stepIndex

/** Returned with every answer about a job. */
export const JobAnswer = z.object({ cancel: z.boolean() })
