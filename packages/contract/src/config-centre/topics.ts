import { hint } from '../topic.ts'

/** A team's configurations. */
export const configurationsTopic = hint({ path: 'configurations/:teamId', access: { team: 'teamId' } })
