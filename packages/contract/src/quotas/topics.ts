import { hint } from '../topic.ts'

/** Shares of teams in clusters. */
export const quotasTopic = hint({ path: 'quotas', access: 'user' })
