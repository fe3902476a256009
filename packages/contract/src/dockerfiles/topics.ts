import { hint } from '../topic.ts'

/** A team's Dockerfiles. */
export const dockerfilesTopic = hint({ path: 'dockerfiles/:teamId', access: { team: 'teamId' } })
