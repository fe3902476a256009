import { type ExternalUser, type Grants, keepExternal, signInExternal } from './external.service.ts'
import type { Leaving } from './leaving.ts'
import { removeUsers } from './removal.service.ts'

/** What other domains may call; and what a domain exports as `leaving` in a `*.leaving.ts` to end what is a user's. */
export { type ExternalUser, type Grants, keepExternal, type Leaving, removeUsers, signInExternal }
