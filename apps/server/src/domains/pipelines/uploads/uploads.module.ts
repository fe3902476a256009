import { defineModule } from '../../../module.ts'
import { jobs } from './blobs.jobs.ts'

export const module = defineModule({ jobs })
