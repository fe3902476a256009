import { hint } from '../topic.ts'

/** Images for jobs and load balancers. */
export const buildImagesTopic = hint({ path: 'build-images', access: 'user' })
