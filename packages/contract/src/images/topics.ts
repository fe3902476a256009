import { hint } from '../topic.ts'

/** Images in registries. */
export const imagesTopic = hint({ path: 'images', access: 'user' })

/** Registries of teams and of the platform. */
export const registriesTopic = hint({ path: 'registries', access: 'user' })
