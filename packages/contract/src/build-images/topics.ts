import { hint } from '../topic.ts'

/** Images that builds run in. */
export const buildImagesTopic = hint({ path: 'build-images', access: 'user' })
