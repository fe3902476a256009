import '../ui/tokens.css'
import '../ui/kit.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../api/queries.ts'
import { checkRights, restoreSession, signed } from '../api/session.ts'
import { push } from '../api/use-push.ts'
import { routes } from '../routes.gen.ts'
import type { AppRoute } from '../ui/route.ts'
import { loadWidgets } from '../ui/widgets.ts'
import { loadProduct } from './product.ts'
import { makeRouter } from './router.tsx'
import { loadFrame } from './shell.tsx'

/** Every component of the kit in its states; not part of the product's build. */
const workshop: readonly AppRoute[] =
  import.meta.env.DEV || import.meta.env.MODE === 'kit'
    ? [
        {
          name: 'dev-kit',
          path: '/dev/kit',
          access: 'public',
          page: async () => {
            const [{ KitPage }] = await Promise.all([import('../dev/kit-page.tsx'), loadWidgets()])
            return KitPage
          },
        },
      ]
    : []

export async function start(): Promise<void> {
  void loadProduct()
  void checkRights()
  await restoreSession()
  const place = document.getElementById('root')
  if (!place) return
  // until the initial password is changed, the push channel would be refused
  const openPush = () => signed.get()?.user.newlyBuilt === false && push.open()
  openPush()
  signed.subscribe(openPush)
  const router = makeRouter([...routes, ...workshop])
  // React shows suspended content at least 300 ms after its fallback, so nothing in the first render may suspend.
  await Promise.all([router.load(), signed.get() && loadFrame()])
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
  // Loads while the user types a password. A failure here is retried at the rendering.
  if (!signed.get()) addEventListener('input', () => void loadFrame().catch(() => undefined), { once: true })
}
