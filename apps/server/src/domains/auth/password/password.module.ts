import { scheduled } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { warnOfOldPasswords } from './password-warning.service.ts'

export const module = defineModule({
  jobs: [scheduled({ name: 'auth-warn-of-passwords', every: '0 7 * * *', run: warnOfOldPasswords })],
})
