import type { Credential } from '../../http/server.ts'
import { findByToken } from './agents.store.ts'

export const credential: Credential = { find: findByToken }
