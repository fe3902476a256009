import { Person } from './avatar.tsx'
import { OwnAvatar } from './own-avatar.tsx'
import { UserStateBadge } from './user-state.tsx'

/** What other domains and the shell may show of users. */
export { OwnAvatar, Person, UserStateBadge }
