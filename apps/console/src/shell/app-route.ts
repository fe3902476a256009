import { useRouter, useRouterState } from '@tanstack/react-router'
import { isPhrase, t } from '../api/language.ts'
import { useHolds } from '../api/session.ts'
import type { RouteName } from '../ui/link.tsx'
import { type AppRoute, lackingOf } from '../ui/route.ts'
import { paths } from '../paths.gen.ts'

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

/** The permission that a screen needs and the user lacks. */
export function useLocked(): (name: RouteName) => string | undefined {
  const may = useHolds()
  const { routesByPath } = useRouter()
  return (name) => lackingOf(routesByPath[paths[name]]?.options.staticData?.app, may)
}

/** The title of a screen: the phrase `route-<name>`. */
export function titleOf(name = 'not-found'): string {
  const key = `route-${name}`
  return isPhrase(key) ? t(key) : name
}
