import { hint } from '../topic.ts'

/** A team's products. */
export const productsTopic = hint({ path: 'products/:teamId', access: { team: 'teamId' } })
