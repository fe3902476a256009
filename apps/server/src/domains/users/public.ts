import { type Grants, keepExternal, signInExternal } from './users/external.service.ts'
import type { ExternalUser } from './users/users.store.ts'
import { removeUsers } from './users/removal.service.ts'

/** What other domains may call. */
export { type ExternalUser, type Grants, keepExternal, removeUsers, signInExternal }
