import { hint } from '../topic.ts'

/** Quotas of teams in clusters. */
export const quotasTopic = hint({ path: 'quotas', access: 'user' })
