import { type ExternalUser, type Grants, keepExternal, signInExternal, sourceOf } from './external.service.ts'

/** What other domains may call. */
export { type ExternalUser, type Grants, keepExternal, signInExternal, sourceOf }
