import { z } from 'zod'
import { id } from '../ids.ts'
import { stepIndex } from './events.ts'

/** Shared by the calls about a job that an agent has leased. */

export const heldJob = z.strictObject({ jobId: id })
export const attempt = z.coerce.number().int().min(1)
export const step = stepIndex

/** Part of every answer to a call about a job. */
export const JobAnswer = z.object({ cancel: z.boolean() })
