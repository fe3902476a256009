import { hint } from '../topic.ts'

/** A team's blueprints. */
export const blueprintsTopic = hint({ path: 'blueprints/:teamId', access: { team: 'teamId' } })
