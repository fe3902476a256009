import { session as calls, type Session } from '@gantry/contract/auth/session'
import type { Keys } from '@gantry/contract/endpoint'
import { call, CallError, connect } from './call.ts'
import { allows, type Entry, forgetPermissions, loadPermissions, permissions } from './permissions.ts'
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

/**
 * What this browser shows with its cookies. Pages on other ports of the host get those too, but storage is an origin's own.
 * Undefined where storage is forbidden: each tab then signs in by itself.
 */
function proof(): string | undefined {
  if (local.get('proof') === undefined) local.set('proof', randomBits())
  return local.get('proof')
}

/** 256 of them, in hexadecimal digits. */
const randomBits = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')

connect({ identity: () => ({ token: signed.get()?.user.token, teamId: signed.get()?.teamId }), proof })

export const useSigned = (): Signed | undefined => useStore(signed)

/** The one signed in; only for what is drawn behind the guard. */
export function useUser(): Session {
  const now = useStore(signed)
  if (!now) throw new Error('nobody is signed in')
  return now.user
}

/** The same as useMay(), where nothing is drawn. */
export const mayNow = (name: string): boolean => allows(signed.get()?.user.admin ?? false, permissions.get(), name)

/** The first permission of those that something needs which is not held. */
export function useLacking(): (needs: Keys | undefined) => string | undefined {
  const may = useMayAny()
  return (needs) => [needs ?? []].flat().find((name) => !may(name))
}

export const useMay = (needs: Keys | undefined): boolean => useLacking()(needs) === undefined

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

/** What the session may, loaded; another team's or user's rights by then are left alone. */
const loadRights = ({ user, teamId }: Signed, known?: readonly Entry[]): Promise<void> =>
  loadPermissions(teamId, user.id, () => signed.get()?.user.id === user.id && signed.get()?.teamId === teamId, known)

/** What a tab kept over a reload, or over a long silence, may be what it was: asked once more. */
export async function checkRights(): Promise<void> {
  const now = signed.get()
  if (now) await loadRights(now, permissions.get())
}

/** After a login: the session, and what it may. */
export const signIn = (user: Session): Promise<void> => loadRights(keepSession(user))

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

let joining: Promise<boolean> | undefined

/**
 * A login in another tab takes the place of this browser's login, and with it of this tab's: where it is the same user's, this
 * tab goes on with it. Answers whether it does.
 */
export function joinLogin(): Promise<boolean> {
  joining ??= join()
    .catch(() => false)
    .finally(() => (joining = undefined))
  return joining
}

async function join(): Promise<boolean> {
  const user = await call(calls.refresh, {})
  const now = signed.get()
  if (user.newlyBuilt || user.id !== now?.user.id) return false
  tab.set('login', local.get('login'))
  keepSession(user, now.teamId)
  return true
}

let switches = 0

/** Makes a team the default one: a new token, the permissions there, the other tabs told. The last switch asked for holds. */
export async function switchTeam(teamId: number): Promise<void> {
  const asker = signed.get()?.user.id
  const mine = ++switches
  const user = await call(calls.refresh, { query: { tenantId: teamId } })
  if (mine !== switches || signed.get()?.user.id !== asker) return
  await loadRights(keepSession(user, teamId))
  local.set('team', { teamId, userId: user.id, at: Date.now() })
}

let reloading: Promise<boolean> | undefined
let queued: Promise<boolean> | undefined

/**
 * The user's teams or rights changed on the server: they are loaded again. Answers false where the user was taken out of the
 * open team, which is then the default one, or none. However often it is asked, one load runs and one more waits behind it:
 * the one that runs may have read what was before the last change.
 */
export function reloadRights(): Promise<boolean> {
  if (!reloading) {
    reloading = reload().finally(() => (reloading = undefined))
    return reloading
  }
  queued ??= reloading
    .catch(() => true)
    .then(() => {
      queued = undefined
      return reloadRights()
    })
  return queued
}

async function reload(): Promise<boolean> {
  const now = signed.get()
  if (!now) return true
  const answer = await enteredAgain(now.teamId)
  const still = signed.get()
  // logged out, logged in anew or in another team meanwhile: the answer is of a session that is none any more
  if (still?.user.token !== now.user.token || still.teamId !== now.teamId) return reload()
  await (answer.member ? loadRights(keepSession(answer.user, now.teamId)) : signIn(answer.user))
  return answer.member
}

/** The session as it is now; where its team is closed to the user, the one in the default team. */
async function enteredAgain(tenantId: number | undefined): Promise<{ user: Session; member: boolean }> {
  try {
    return { user: await call(calls.refresh, { query: tenantId === undefined ? {} : { tenantId } }), member: true }
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 403) throw error
    return { user: await call(calls.refresh, {}), member: false }
  }
}
