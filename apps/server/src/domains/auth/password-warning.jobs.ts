import { z } from 'zod'
import { type Job, job } from '../../kernel/jobs.ts'
import { warnOfOldPasswords } from './password-warning.service.ts'

export const jobs: Job[] = [
  job({ name: 'auth-warn-of-passwords', schema: z.object({}), every: '0 7 * * *', run: warnOfOldPasswords }),
]
