import { hint } from '../topic.ts'

/** A team's API tokens. */
export const tokensTopic = hint({ path: 'tokens/:teamId', access: { team: 'teamId' } })
