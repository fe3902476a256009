import { queryClient } from '../api/queries.ts'
import { dirtyForms } from '../api/draft.ts'
import { session as calls } from '@gantry/contract/auth/session'
import { call, connect } from '../api/call.ts'
import { t } from '../api/language.ts'
import { forget, toast } from '../api/notices.ts'
import { forgetSession, isSameLogin, joinLogin, signed, signOut } from '../api/session.ts'
import { local, prefix } from '../api/storage.ts'
import { store } from '../api/store.ts'
import { closePush } from '../api/use-push.ts'
import { keepReturnPath } from '../api/return-path.ts'

/** Navigation that the router provides. */
export const ways = {
  toLogin: (): void => location.assign('/login'),
  toDashboard: (): void => location.assign('/'),
  /** To another site: the identity provider, to end its session too. */
  away: (url: string): void => location.assign(url),
}

function clear(): void {
  closePush()
  forgetSession()
  queryClient.clear()
  forget()
}

/** Logs out: here, on the server, in every tab, and at the identity provider if there is one. */
export async function logOut(): Promise<void> {
  closePush()
  const url = await signOut()
  clear()
  if (url !== null) return ways.away(url)
  ways.toLogin()
  toast.ok(t('logout-success'))
}

/** The password dialog over an open form; its answer tells whether there is a session again. */
export const relogin = store<{ answer: (again: boolean) => void } | undefined>(undefined)
let asking: Promise<boolean> | undefined

function askPassword(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => relogin.set({ answer: resolve })).finally(() => {
    asking = undefined
    relogin.set(undefined)
  })
  return asking
}

/**
 * Handles a 401. Another tab may have logged in since. With unsaved input it asks for the password in place; otherwise
 * it leaves for the login.
 */
export async function expired(sent: string): Promise<boolean> {
  const now = signed.get()
  if (!now) return false
  if (now.user.token !== sent || (await joinLogin())) return true
  if (dirtyForms.get() > 0 && (await askPassword())) return true
  if (signed.get()?.user.token !== sent) return false
  leaveExpired()
  return false
}

function leaveExpired(): void {
  keepReturnPath(location.pathname + location.search)
  local.remove('signed-in')
  clear()
  ways.toLogin()
  toast.error(t('login-again'))
}

connect({ onExpired: expired })

/** Follows other tabs: a logout there logs out here; a team switch there switches here, unless a form is unsaved. */
export function followTabs(enter: (teamId: number) => void): () => void {
  const listen = (event: StorageEvent) => {
    const now = signed.get()
    if (!now) return
    if (event.key === `${prefix}logout` && event.newValue !== null) {
      if (!isSameLogin()) call(calls.logout).catch(() => undefined)
      clear()
      ways.toLogin()
    }
    if (event.key === `${prefix}team` && dirtyForms.get() === 0) {
      const other = local.get<{ teamId: number; userId: number }>('team')
      if (other?.userId === now.user.id && other.teamId !== now.teamId) enter(other.teamId)
    }
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}
