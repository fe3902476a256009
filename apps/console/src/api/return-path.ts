import { session } from './storage.ts'

/** Whether a path is that of a screen, to which a login may return; set by the router, which knows the screens. */
export const screenPaths = { has: (_path: string): boolean => false }

/** A path within this site that is neither an error page nor a public page. */
const leadsBack = (path: string): boolean => /^\/(?![/\\])/.test(path) && screenPaths.has(path.split(/[?#]/)[0] ?? '')

/** Keeps the page that a visitor wanted to open before the login; the root does not count. */
export function keepReturnPath(path: string): void {
  if (path !== '/' && leadsBack(path)) session.set('return', path)
}

export function takeReturnPath(): string | undefined {
  const path = session.get<string>('return')
  session.remove('return')
  return path !== undefined && leadsBack(path) ? path : undefined
}

/** Public paths, which have no bars. */
export const isOpen = (path: string): boolean => path.includes('login') || path.includes('register')
