import { defineModule } from '../../../module.ts'
import { jobs } from './logs.jobs.ts'

export const module = defineModule({ jobs })
