import type { Session } from '@gantry/contract/auth/session'
import type { Db } from '../../../db/tables.gen.ts'
import type { Limit } from '../../../kernel/context.ts'
import { nameOfTeam } from '../../teams/public.read.ts'

type SessionView = Omit<Session, 'token'>

/** The session that a holder of the role would have, in the team of the role only. */
export async function seenThrough(db: Db, session: SessionView, limit: Limit | undefined): Promise<SessionView> {
  if (limit?.kind !== 'view') return session
  const { teamId, roleId, roleName } = limit
  return {
    ...session,
    admin: false,
    systemRoles: [],
    teams: [{ id: teamId, name: await nameOfTeam(db, teamId), roleName, teamLeader: false }],
    viewAs: { teamId, roleId, roleName },
    news: '',
  }
}
