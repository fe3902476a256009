import { useSyncExternalStore } from 'react'
import { local } from '../../api/storage.ts'
import { store, useStore } from '../../api/store.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'

/** The user's choice; `system` follows the system's setting. */
export const themeChoice = store<ThemeChoice>(local.get('theme') ?? 'system')

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') local.remove('theme')
  else local.set('theme', choice)
  themeChoice.set(choice)
}

const system = matchMedia('(prefers-color-scheme: dark)')
const followSystem = (listener: () => void) => {
  system.addEventListener('change', listener)
  return () => system.removeEventListener('change', listener)
}

/** Whether the page is dark now. */
export function useDark(): boolean {
  const choice = useStore(themeChoice)
  const systemDark = useSyncExternalStore(followSystem, () => system.matches)
  return choice === 'system' ? systemDark : choice === 'dark'
}
