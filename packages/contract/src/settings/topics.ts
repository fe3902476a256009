import { hint } from '../topic.ts'

/** The administrators' settings for the whole installation. */
export const settingsTopic = hint({ path: 'settings', access: 'user' })
