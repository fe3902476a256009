import { hint } from '../topic.ts'

/** Preset services, their templates and tags. */
export const catalogsTopic = hint({ path: 'catalogs', access: 'user' })
