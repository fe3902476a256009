import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import { type AppRoute, lackingOf } from '../ui/route.ts'
import { screenPaths } from '../api/return-path.ts'
import { holdsNow, mayNow, signed } from '../api/session.ts'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { appRouteOf } from './app-route.ts'
import { guardTeam, guardVisitor, homeHref } from './guard.ts'
import { ways } from './leave.ts'
import { NotFound, ScreenFailed, ServerError } from './lost.tsx'
import { scrollKeys } from './scroll-key.ts'
import { Shell } from './shell.tsx'

const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))

function stringifySearch(values: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(values))
    if (value !== undefined && value !== '') query.set(key, String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** The shell's own screen. */
const ownRoutes: readonly AppRoute[] = [
  { name: 'server-error', path: '/500', page: () => Promise.resolve(ServerError) },
]

const fill = (path: string, params: Record<string, string | undefined>): string =>
  path.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '-'))

function readRouteAhead(route: AppRoute, params: Record<string, string>, search: Record<string, string>): void {
  const now = signed.get()
  if (!now || (route.access === 'admin' && !now.user.admin) || lackingOf(route, holdsNow) !== undefined) return
  const teamId = Number(params['team_id'] ?? now.teamId ?? 0)
  route.ahead?.(params, search, { admin: now.user.admin, teamId, may: mayNow })
}

export function makeRouter(all: readonly AppRoute[], history?: RouterHistory) {
  const root = createRootRoute({
    component: Shell,
    notFoundComponent: NotFound,
    errorComponent: ScreenFailed,
    beforeLoad: ({ location, matches }) => guardVisitor(location.pathname, location.href, appRouteOf(matches)),
  })
  const screens = [...ownRoutes, ...all].map((route) =>
    createRoute({
      getParentRoute: () => root,
      path: route.path,
      component: lazyRouteComponent(async () => ({ default: await route.page() })),
      staticData: { app: route },
      beforeLoad: async ({ params, search, cause }) => {
        await guardTeam(params)
        if (cause === 'enter') readRouteAhead(route, params, search)
      },
    }),
  )
  const shortcuts = all.flatMap((route) => {
    const { path, shortcut } = route
    return shortcut === undefined
      ? []
      : createRoute({
          getParentRoute: () => root,
          path: shortcut,
          staticData: { app: route },
          beforeLoad: ({ params, location }) => {
            throw redirect({ href: fill(path, params) + location.searchStr, replace: true })
          },
        })
  })
  const router = createRouter({
    routeTree: root.addChildren([...screens, ...shortcuts]),
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: () => <Skeleton rows={6} columns={3} />,
    defaultErrorComponent: ScreenFailed,
    scrollRestoration: true,
    // The sheet scrolls, not the window.
    scrollToTopSelectors: ['[data-sheet]'],
    getScrollRestorationKey: scrollKeys(),
  })
  screenPaths.has = (path) => {
    const app = router.getMatchedRoutes(path)[2]?.options.staticData?.app
    return app !== undefined && app.access !== 'public' && !ownRoutes.includes(app)
  }
  ways.toLogin = () => router.history.push('/login')
  ways.toDashboard = () => router.history.push(homeHref())
  return router
}
