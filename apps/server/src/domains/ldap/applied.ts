import { createHash } from 'node:crypto'
import type { MappedTeam } from '../teams/public.ts'
import type { DirectoryUser } from './entry.ts'

/** What was taken over from an entry: while it is the same, the look every minute has nothing to write. */
export const fingerprint = ({ dn, userName, nickname, email }: DirectoryUser, teams: MappedTeam[]): string =>
  createHash('sha256')
    .update(JSON.stringify([dn, userName, nickname, email, teams.map(({ teamId, roleId }) => [teamId, roleId])]))
    .digest('hex')
