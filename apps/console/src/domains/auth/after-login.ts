import type { Session } from '@gantry/contract/auth/session'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { takeReturnPath } from '../../api/return-path.ts'
import { beginLogin, signIn } from '../../api/session.ts'

/** The first team's dashboard; the root for a user without a team, that is an administrator or auditor. */
const homeOf = ({ teams: [first] }: Session): string => (first ? `/teams/${first.id}/dashboard` : '/')

/** Stores the session and returns where to go; undefined if the password must be changed first. */
export async function afterLogin(user: Session): Promise<string | undefined> {
  if (user.newlyBuilt) return undefined
  const target = takeReturnPath() ?? homeOf(user)
  beginLogin()
  await signIn(user)
  toast.ok(t('login-success'))
  return target
}
