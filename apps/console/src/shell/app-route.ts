import { useRouterState } from '@tanstack/react-router'
import { isPhrase, t } from '../api/language.ts'
import type { AppRoute } from '../ui/route.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The declaration by the screen's domain; the root has none. */
    app?: AppRoute
  }
}

/** The route of the last match; undefined where the path is unknown. */
export const appRouteOf = (matches: readonly { staticData: { app?: AppRoute } }[]): AppRoute | undefined =>
  matches.at(-1)?.staticData.app

/** The route of the open screen. */
export const useAppRoute = (): AppRoute | undefined => useRouterState({ select: (state) => appRouteOf(state.matches) })

/** The title of a screen: the phrase `route-<name>`. */
export function titleOf(name = 'not-found'): string {
  const key = `route-${name}`
  return isPhrase(key) ? t(key) : name
}
