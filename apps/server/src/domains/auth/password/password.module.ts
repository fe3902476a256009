import { z } from 'zod'
import { job } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { warnOfOldPasswords } from './password-warning.service.ts'

export const module = defineModule({
  jobs: [job({ name: 'auth-warn-of-passwords', schema: z.object({}), every: '0 7 * * *', run: warnOfOldPasswords })],
})
