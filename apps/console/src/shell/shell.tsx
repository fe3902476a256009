import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import type { Session } from '@gantry/contract/auth/session'
import { useSigned } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import type { AppRoute } from '../ui/route.ts'
import { Toasts } from '../ui/toasts.tsx'
import { titleOf, useAppRoute } from './app-route.ts'
import { LoadingOverlay } from './loading-overlay.tsx'
import { Forbidden } from './lost.tsx'
import { product } from './product.ts'
import { isOpen } from '../api/return-path.ts'

const Frame = lazy(() => import('./frame.tsx').then((m) => ({ default: m.Frame })))

/** The screen, where one may see it. Whoever has just left sees nothing until the login is there. */
function screenFor(route: AppRoute | undefined, user: Session | undefined) {
  if (!user && route !== undefined && route.access !== 'public') return null
  return route?.access === 'admin' && !user?.admin ? <Forbidden /> : <Outlet />
}

/** Everything around a screen. The bars are there where somebody is signed in and the path is not login's or register's. */
export function Shell() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const route = useAppRoute()
  const { productName } = useStore(product)
  const signed = useSigned()
  useEffect(() => {
    document.title = `${titleOf(route?.name)} - ${productName}`
  }, [route, productName])

  const bare = isOpen(path) || !signed
  const screen = screenFor(route, signed?.user)
  return (
    <>
      {bare ? screen : <Suspense fallback={null}>{<Frame>{screen}</Frame>}</Suspense>}
      <Toasts />
      <LoadingOverlay />
    </>
  )
}
