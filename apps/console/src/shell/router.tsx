import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from '@tanstack/react-router'
import type { AppRoute } from '../ui/route.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { guardTeam, guardVisitor, homeHref } from './guard.ts'
import { ways } from './leave.ts'
import { NotFound, ScreenFailed } from './lost.tsx'
import { Shell } from './shell.tsx'

const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))

function stringifySearch(values: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(values))
    if (value !== undefined && value !== '') query.set(key, String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

const routeOf = (matches: readonly { staticData: object }[]): AppRoute | undefined => {
  const data = matches.at(-1)?.staticData as { route?: AppRoute } | undefined
  return data?.route
}

export { routeOf }

export function makeRouter(all: readonly AppRoute[], history?: RouterHistory) {
  const root = createRootRoute({
    component: Shell,
    notFoundComponent: NotFound,
    errorComponent: ScreenFailed,
    beforeLoad: ({ location, matches }) => guardVisitor(location.pathname, location.href, routeOf(matches)),
  })
  const screens = all.map((route) =>
    createRoute({
      getParentRoute: () => root,
      path: route.path,
      component: lazyRouteComponent(async () => ({ default: await route.page() })),
      staticData: { route } as object,
      beforeLoad: ({ params }) => guardTeam((params as Record<string, string | undefined>)['team_id']),
    }),
  )
  const router = createRouter({
    routeTree: root.addChildren(screens),
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: () => <Skeleton rows={6} columns={3} />,
    defaultErrorComponent: ScreenFailed,
    scrollRestoration: true,
  })
  ways.toLogin = () => router.history.push('/login')
  ways.toDashboard = () => router.history.push(homeHref())
  return router
}
