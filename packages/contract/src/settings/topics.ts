import { hint } from '../topic.ts'

/** What administrators set for the whole installation. */
export const settingsTopic = hint({ path: 'settings', access: 'user' })
