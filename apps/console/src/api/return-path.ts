import { session } from './storage.ts'

/** Whether a path is that of a screen to return to: set by the router, which alone knows. */
export const screenPaths = { has: (_path: string): boolean => false }

/** Not what a browser reads as another host, no error page, and no public page. */
const leadsBack = (path: string): boolean => /^\/(?![/\\])/.test(path) && screenPaths.has(path.split(/[?#]/)[0] ?? '')

/** The page that a visitor wanted before the login; the root does not count. */
export function keepReturnPath(path: string): void {
  if (path !== '/' && leadsBack(path)) session.set('return', path)
}

export function takeReturnPath(): string | undefined {
  const path = session.get<string>('return')
  session.remove('return')
  return path !== undefined && leadsBack(path) ? path : undefined
}

/** Public paths, on which the bars are hidden. */
export const isOpen = (path: string): boolean => path.includes('login') || path.includes('register')
