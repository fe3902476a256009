import { session } from './storage.ts'

/** Where a visitor wanted to go before the login; the root is nowhere in particular. */
export function keepReturnPath(path: string): void {
  if (path !== '/' && !isOpen(path.split('?')[0] ?? '')) session.set('return', path)
}

export function takeReturnPath(): string | undefined {
  const path = session.get<string>('return')
  session.remove('return')
  // Only a path of our own: nothing that a browser reads as another host.
  return path !== undefined && /^\/(?![/\\])/.test(path) ? path : undefined
}

/** The paths that a visitor may see; there the bars are hidden. */
export const isOpen = (path: string): boolean => path.includes('login') || path.includes('register')
