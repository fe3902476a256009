import { type ExternalUser, type Grants, keepExternal, signInExternal } from './users/external.service.ts'
import { removeUsers } from './users/removal.service.ts'

/** What other domains may call. */
export { type ExternalUser, type Grants, keepExternal, removeUsers, signInExternal }
