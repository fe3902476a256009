import { hint } from '../topic.ts'

/** Certificates, their domains, and who may use them. */
export const certificatesTopic = hint({ path: 'certificates', access: 'user' })
