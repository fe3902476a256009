import type { Owner } from '../../http/server.ts'
import { teamsUsing } from './environments.store.ts'

export const owner: Owner = { kind: 'environment', teamsOf: teamsUsing }
