import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { Session } from '@gantry/contract/auth/session'
import { useSigned } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import type { AppRoute } from '../ui/route.ts'
import { useDark } from '../ui/theme/dark.ts'
import { keepFocus } from '../ui/focus/place.ts'
import { heading, waiting } from '../ui/heading.ts'
import { Toasts } from '../ui/feedback/toasts.tsx'
import { isOpen } from '../api/return-path.ts'
import { t } from '../api/language.ts'
import { loading, watchLoading } from '../api/loading.ts'
import { loadWidgets } from '../ui/widgets.ts'
import { titleOf, useAppRoute } from './app-route.ts'
import type * as frame from './frame.tsx'
import { Forbidden } from './lost.tsx'
import { product } from './product.ts'
import styles from './shell.module.css'

let Frame: typeof frame.Frame | undefined
const FrameLater = lazy(async () => ({ default: await loadFrame() }))

/** Loads the bars, which the login does not need. Once loaded, they are rendered at once. */
export async function loadFrame() {
  const [loaded] = await Promise.all([import('./frame.tsx'), loadWidgets()])
  ;({ Frame } = loaded)
  return loaded.Frame
}

function Framed({ children }: { children: ReactNode }) {
  const [Shown] = useState(() => Frame ?? FrameLater)
  return <Shown>{children}</Shown>
}

/** The screen, if the user may see it. After a logout nothing is shown until the login screen. */
function screenFor(route: AppRoute | undefined, user: Session | undefined) {
  if (!user && route !== undefined && route.access !== 'public') return null
  return route?.access === 'admin' && !user?.admin ? <Forbidden /> : <Outlet />
}

/** Everything around a screen. The bars are shown to logged-in users, except on the paths of login and register. */
export function Shell() {
  useEffect(keepFocus, [])
  // The path of the rendered screen: after a login the address is already that of the next one, which is still loading.
  const path = useRouterState({ select: ({ matches, location }) => matches.at(-1)?.pathname ?? location.pathname })
  const route = useAppRoute()
  const { productName } = useStore(product)
  const signed = useSigned()
  const about = useStore(heading)
  const waits = useStore(waiting)
  const isDark = useDark()
  useEffect(() => {
    document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
  }, [isDark])
  useEffect(() => {
    const screen = titleOf(route?.name)
    // The object first, because with many tabs only the first word is visible.
    const count = waits > 0 ? `(${waits}) ` : ''
    document.title = `${count}${about === undefined || about === screen ? '' : `${about} · `}${screen} - ${productName}`
  }, [route, about, waits, productName])

  const bare = isOpen(path) || !signed
  const screen = screenFor(route, signed?.user)
  return (
    <>
      {bare ? (
        screen
      ) : (
        <Suspense fallback={null}>
          <Framed>{screen}</Framed>
        </Suspense>
      )}
      <Toasts />
      <LoadingOverlay />
    </>
  )
}

export function LoadingOverlay() {
  useEffect(watchLoading, [])
  if (!useStore(loading)) return null
  return (
    <div className={styles.overlay} role="alert" aria-busy>
      <span className={styles.spinner} />
      {t('ui-loading')}
    </div>
  )
}
