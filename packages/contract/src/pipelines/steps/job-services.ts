import { z } from 'zod'
import { dnsLabel } from '../../validators.ts'
import { environment } from './common.ts'

/** A container beside the steps of a job, such as a database. A job's services share a network, and so their ports. */
export const JobService = z.strictObject({
  /** The host name by which the steps reach it. */
  name: dnsLabel(),
  /** The image of its container. */
  image: z.number().int().min(1, 'build-images-unknown'),
  environment: environment.default([]),
  /** Steps begin once something listens on this port; absent: they do not wait. */
  port: z.number().int().min(1, 'job-service-port').max(65_535, 'job-service-port').optional(),
})
export type JobServiceInput = z.input<typeof JobService>

export const jobServices = z
  .array(JobService)
  .max(10, 'list-too-long')
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'job-service-names-unique')
  .default([])
