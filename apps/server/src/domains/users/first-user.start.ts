import type { Start } from '../../http/server.ts'
import { makeFirstUser } from './first-user.service.ts'

/** Before everyone: what other domains make at the first start belongs to the first user's team. */
export const start: Start = { order: 0, run: makeFirstUser }
