import { defineModule } from '../../../module.ts'
import { jobs } from './health.jobs.ts'

export const module = defineModule({
  jobs,
})
