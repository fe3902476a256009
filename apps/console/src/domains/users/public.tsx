import { Person } from './avatar.tsx'
import { OwnAvatar } from './own-avatar.tsx'
import { UserStateBadge } from './user-state.tsx'

/** Components of the users domain for other domains and the shell. */
export { OwnAvatar, Person, UserStateBadge }
