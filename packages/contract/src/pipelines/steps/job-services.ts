import { z } from 'zod'
import { dnsLabel } from '../../validators.ts'
import { environment } from './common.ts'

/** A container beside the steps of a job, such as a database. All of a job's share one network, and so their ports. */
export const JobService = z.strictObject({
  /** How the steps reach it. */
  name: dnsLabel(),
  /** The build image that it is made of. */
  image: z.number().int().min(1, 'build-images-unknown'),
  environment: environment.default([]),
  /** Steps begin once something listens there; without it they do not wait. */
  port: z.number().int().min(1, 'job-service-port').max(65_535, 'job-service-port').optional(),
})
export type JobServiceInput = z.input<typeof JobService>

export const jobServices = z
  .array(JobService)
  .max(10, 'list-too-long')
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'job-service-names-unique')
  .default([])
