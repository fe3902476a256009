import { session as calls, type Session } from '@gantry/contract/auth/session'
import { call, CallError, connect } from './call.ts'
import { allows, forgetPermissions, loadPermissions, permissions } from './permissions.ts'
import { local, session as tab } from './storage.ts'
import { store, useStore } from './store.ts'

/** Who is signed in, in this tab, and in which team. */
export interface Signed {
  user: Session
  /** The default team; absent for an administrator without one. */
  teamId: number | undefined
}

export const signed = store<Signed | undefined>(kept())

function kept(): Signed | undefined {
  const user = tab.get<Session>('user')
  return user && tab.get('token') === user.token ? { user, teamId: tab.get<number>('team') } : undefined
}

connect({ identity: () => ({ token: signed.get()?.user.token, teamId: signed.get()?.teamId }) })

export const useSigned = (): Signed | undefined => useStore(signed)

/** The one signed in; only for what is drawn behind the guard. */
export function useUser(): Session {
  const now = useStore(signed)
  if (!now) throw new Error('nobody is signed in')
  return now.user
}

export function useMay(name: string | undefined): boolean {
  const now = useStore(signed)
  const entries = useStore(permissions)
  return name === undefined || allows(now?.user.admin ?? false, entries, name)
}

/** The same check for many names at once. */
export function useMayAny(): (name: string) => boolean {
  const now = useStore(signed)
  const entries = useStore(permissions)
  return (name) => allows(now?.user.admin ?? false, entries, name)
}

/** Keeps a session; the team is the wanted one where the user is in it, else the first. */
export function keepSession(user: Session, teamId?: number): Signed {
  const now: Signed = { user, teamId: teamId ?? user.teams[0]?.id }
  tab.set('token', user.token)
  tab.set('user', user)
  tab.set('team', now.teamId)
  local.set('signed-in', user.id)
  signed.set(now)
  return now
}

/** The signed-in user has changed how they are called. */
export function renameUser(names: Pick<Session, 'nickname' | 'email'>): void {
  const now = signed.get()
  if (now) keepSession({ ...now.user, ...names }, now.teamId)
}

/** After a login: the session, and what it may. */
export async function signIn(user: Session): Promise<void> {
  const now = keepSession(user)
  await loadPermissions(now.teamId, user.id)
}

/** Forgets everything of this session, here. */
export function forgetSession(): void {
  tab.remove('token')
  tab.remove('user')
  tab.remove('team')
  forgetPermissions()
  signed.set(undefined)
}

/**
 * Ends the session on the server, here, and in the other tabs. Answers where the provider that vouched for the user ends its
 * own.
 */
export async function signOut(): Promise<string | null> {
  const ended = await call(calls.logout).catch(() => ({ logoutUrl: null }))
  forgetSession()
  local.remove('signed-in')
  local.set('left', tab.get('login'))
  local.set('logout', Date.now())
  return ended.logoutUrl
}

/** This tab begins a login of its own; tabs that are opened later belong to it. Nothing but a name to compare. */
export function beginLogin(): void {
  const name = String(crypto.getRandomValues(new Uint32Array(1))[0])
  tab.set('login', name)
  local.set('login', name)
}

/** Whether the tab that has just logged out ended the login of this one too, or another. */
export const isSameLogin = (): boolean => local.get('left') === tab.get('login')

/** The directory that one signed in with, for the next login and for the password in place. */
export const lastDirectory = (): number | undefined => local.get<number>('directory')
export const keepDirectory = (ldapId: number | undefined): void => {
  if (ldapId !== undefined) local.set('directory', ldapId)
}

/** A new tab has no token: the cookie gets it one. Asked only where some tab has signed in, so that a visitor sees no 401. */
export async function restoreSession(): Promise<void> {
  if (signed.get() || local.get('signed-in') === undefined) return
  try {
    const user = await call(calls.refresh, {})
    tab.set('login', local.get('login'))
    if (!user.newlyBuilt) await signIn(user)
  } catch (error) {
    if (error instanceof CallError && error.status > 0 && error.status < 500) local.remove('signed-in')
  }
}

/** Makes a team the default one: a new token, the permissions there, the other tabs told. */
export async function switchTeam(teamId: number): Promise<void> {
  const user = await call(calls.refresh, { query: { tenantId: teamId } })
  keepSession(user, teamId)
  await loadPermissions(teamId, user.id)
  local.set('team', { teamId, userId: user.id, at: Date.now() })
}

/**
 * The user's teams or rights changed on the server: they are loaded again. Answers false where the user was taken out of the
 * open team, which is then the default one, or none.
 */
export async function reloadRights(): Promise<boolean> {
  const now = signed.get()
  if (!now) return true
  try {
    const tenantId = now.teamId
    const user = await call(calls.refresh, { query: tenantId === undefined ? {} : { tenantId } })
    keepSession(user, tenantId)
    await loadPermissions(tenantId, user.id)
    return true
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 403) throw error
    await signIn(await call(calls.refresh, {}))
    return false
  }
}
