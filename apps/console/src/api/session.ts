import { session as calls, type Session } from '@gantry/contract/auth/session'
import { permissionsOf, type Endpoint } from '@gantry/contract/endpoint'
import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import { call, CallError, connect } from './call.ts'
import { allows, type Entry, forgetPermissions, loadPermissions, permissions } from './permissions.ts'
import { local, session as tab } from './storage.ts'
import { store, useStore } from './store.ts'

/** The logged-in user of this tab, and the team. */
export interface Signed {
  user: Session
  /** The current team; absent for an administrator without one. */
  teamId: number | undefined
}

export const signed = store<Signed | undefined>(readSession())

function readSession(): Signed | undefined {
  const user = tab.get<Session>('user')
  return user && tab.get('token') === user.token ? { user, teamId: tab.get<number>('team') } : undefined
}

/**
 * The proof that this browser sends with its cookies. Pages on other ports of the host get the cookies too, but storage
 * belongs to an origin. Undefined if storage is forbidden: each tab then logs in by itself.
 */
function proof(): string | undefined {
  if (local.get('proof') === undefined) local.set('proof', randomBits())
  return local.get('proof')
}

/** 256 random bits, in hexadecimal digits. */
const randomBits = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')

connect({ identity: () => ({ token: signed.get()?.user.token, teamId: signed.get()?.teamId }), proof })

export const useSigned = (): Signed | undefined => useStore(signed)

/** The logged-in user; only for components behind the guard. */
export function useUser(): Session {
  const now = useStore(signed)
  if (!now) throw new Error('nobody is signed in')
  return now.user
}

/** The calls of a control: a user who may make all of them may use it. */
export type Needs = Called | readonly Called[]
type Called = Pick<Endpoint, 'access'>

/** What a user lacks for a call: a permission, or being an administrator. */
export type Lack = PermissionKey | 'admin'

const lackingFor = (needs: Needs | undefined, admin: boolean, holds: (name: string) => boolean): Lack | undefined => {
  const calls: readonly Called[] = needs === undefined ? [] : 'access' in needs ? [needs] : needs
  if (!admin && calls.some(({ access }) => access === 'admin')) return 'admin'
  return calls.flatMap(({ access }) => permissionsOf(access)).find((name) => !holds(name))
}

/** Whether the user has a permission, outside of rendering. */
export const holdsNow = (name: string): boolean => allows(signed.get()?.user.admin ?? false, permissions.get(), name)

/** The same as useMay(), outside of rendering. */
export const mayNow = (needs: Needs): boolean =>
  lackingFor(needs, signed.get()?.user.admin ?? false, holdsNow) === undefined

/** The first thing that the user lacks for these calls. */
export function useLacking(): (needs: Needs | undefined) => Lack | undefined {
  const holds = useHolds()
  const admin = useStore(signed)?.user.admin ?? false
  return (needs) => lackingFor(needs, admin, holds)
}

export const useMay = (needs: Needs | undefined): boolean => useLacking()(needs) === undefined

/** Whether the user has a permission, by its name: for lists of permissions, and for screens that are not loaded. */
export function useHolds(): (name: string) => boolean {
  const now = useStore(signed)
  const entries = useStore(permissions)
  return (name) => allows(now?.user.admin ?? false, entries, name)
}

/** Stores a session, with the given team if the user is in it, otherwise the first. */
export function keepSession(user: Session, teamId?: number): Signed {
  const now: Signed = { user, teamId: teamId ?? user.teams[0]?.id }
  tab.set('token', user.token)
  tab.set('user', user)
  tab.set('team', now.teamId)
  local.set('signed-in', user.id)
  signed.set(now)
  return now
}

/** Updates the names of the logged-in user. */
export function renameUser(names: Pick<Session, 'nickname' | 'email'>): void {
  const now = signed.get()
  if (now) keepSession({ ...now.user, ...names }, now.teamId)
}

/** Records that the user has seen the news. */
export function forgetNews(): void {
  const now = signed.get()
  if (now) keepSession({ ...now.user, news: '' }, now.teamId)
}

/** Loads the session's permissions; drops them if the team or user has changed meanwhile. */
const loadRights = ({ user, teamId }: Signed, known?: readonly Entry[]): Promise<void> =>
  loadPermissions(teamId, user.id, () => signed.get()?.user.id === user.id && signed.get()?.teamId === teamId, known)

/** Loads the permissions again if the tab kept them over a reload, or over a long time, and they may be outdated. */
export async function checkRights(): Promise<void> {
  const now = signed.get()
  if (now) await loadRights(now, permissions.get())
}

/** After a login: stores the session and loads its permissions. */
export const signIn = (user: Session): Promise<void> => loadRights(keepSession(user))

/** Deletes everything of this session in this tab. */
export function forgetSession(): void {
  tab.remove('token')
  tab.remove('user')
  tab.remove('team')
  forgetPermissions()
  signed.set(undefined)
}

/**
 * Ends the session on the server, here, and in the other tabs. Returns the URL that ends the identity provider's
 * session.
 */
export async function signOut(): Promise<string | null> {
  const ended = await call(calls.logout).catch(() => ({ logoutUrl: null }))
  forgetSession()
  local.remove('signed-in')
  local.set('left', tab.get('login'))
  local.set('logout', Date.now())
  return ended.logoutUrl
}

/** Begins a new login in this tab, to which tabs that are opened later belong. Its id is only compared. */
export function beginLogin(): void {
  tab.remove('join')
  const name = String(crypto.getRandomValues(new Uint32Array(1))[0])
  tab.set('login', name)
  local.set('login', name)
}

/** Whether the tab that has just logged out belongs to the same login. */
export const isSameLogin = (): boolean => local.get('left') === tab.get('login')

/** The directory of the last login, for the next one and for the password in place. */
export const lastDirectory = (): number | undefined => local.get<number>('directory')
export const keepDirectory = (ldapId: number | undefined): void => {
  if (ldapId !== undefined) local.set('directory', ldapId)
}

/**
 * A new tab has no token: it gets one with the cookie. Only if a tab has logged in, so that a visitor causes no 401.
 */
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
 * A login in another tab replaces this browser's login, and so that of this tab: if it is the same user's, this tab
 * adopts it. Returns whether it does.
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

/** Switches the team: gets a new token, its permissions, and notifies the other tabs. The last switch wins. */
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
 * Loads the user's teams or permissions again after a change on the server. Returns false if the user was removed from
 * the open team; then the default one is open, or none. However often it is called, one load runs and at most one more
 * waits, because the running one may have read the state before the last change.
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
  // the user logged out, logged in again or switched teams meanwhile: the answer belongs to an old session
  if (still?.user.token !== now.user.token || still.teamId !== now.teamId) return reload()
  await (answer.member ? loadRights(keepSession(answer.user, now.teamId)) : signIn(answer.user))
  return answer.member
}

/** The present session; if its team is closed to the user, a session in the default team. */
async function enteredAgain(tenantId: number | undefined): Promise<{ user: Session; member: boolean }> {
  try {
    return { user: await call(calls.refresh, { query: tenantId === undefined ? {} : { tenantId } }), member: true }
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 403) throw error
    return { user: await call(calls.refresh, {}), member: false }
  }
}
