import { defineModule } from '../../../module.ts'
import { jobs } from './monitoring.jobs.ts'
import { start } from './partitions.start.ts'

export const module = defineModule({
  jobs,
  onStart: start,
})
