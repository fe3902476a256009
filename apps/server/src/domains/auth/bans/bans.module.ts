import { defineModule } from '../../../module.ts'
import { jobs } from './inactive.jobs.ts'

export const module = defineModule({
  jobs,
})
