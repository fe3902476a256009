import { session } from './storage.ts'

/** Whether a path is a screen's that somebody may come back to: set by the router, which alone knows. */
export const screenPaths = { has: (_path: string): boolean => false }

/** Nothing that a browser reads as another host, no page of errors, and nothing that a visitor may see anyway. */
const leadsBack = (path: string): boolean => /^\/(?![/\\])/.test(path) && screenPaths.has(path.split(/[?#]/)[0] ?? '')

/** Where a visitor wanted to go before the login; the root is nowhere in particular. */
export function keepReturnPath(path: string): void {
  if (path !== '/' && leadsBack(path)) session.set('return', path)
}

export function takeReturnPath(): string | undefined {
  const path = session.get<string>('return')
  session.remove('return')
  return path !== undefined && leadsBack(path) ? path : undefined
}

/** The paths that a visitor may see; there the bars are hidden. */
export const isOpen = (path: string): boolean => path.includes('login') || path.includes('register')
