import type { Session } from '@gantry/contract/auth/session'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { signIn } from '../../api/session.ts'
import { session as tab } from '../../api/storage.ts'

/** The path that the guard kept; the root stands for the first team's dashboard. */
function whereTo(user: Session): string {
  const kept = tab.get<string>('return')
  tab.remove('return')
  if (kept !== undefined && /^\/(?![/\\])/.test(kept)) return kept
  const team = user.teams[0]
  return team ? `/teams/${team.id}/dashboard` : '/'
}

/** Signs in and answers where to go; undefined where the initial password must be changed first. */
export async function afterLogin(user: Session): Promise<string | undefined> {
  if (user.newlyBuilt) return undefined
  if (user.teams.length === 0 && !user.admin) throw new Error(t('user-Unknown-team'))
  const target = whereTo(user)
  await signIn(user)
  toast.ok(t('login-success'))
  return target
}
