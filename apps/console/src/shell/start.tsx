import '../ui/tokens.css'
import '../ui/kit.css'
import './shell.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../api/hooks.ts'
import { restoreSession } from '../api/session.ts'
import { nonce } from '../ui/nonce.ts'
import { loadWidgetWords, Theme } from '../ui/theme.tsx'
import { loadProduct } from './product.ts'
import { makeRouter } from './router.tsx'

export async function start(): Promise<void> {
  void loadProduct()
  await Promise.all([restoreSession(), loadWidgetWords()])
  const place = document.getElementById('root')
  if (!place) return
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Theme nonce={nonce()}>
          <RouterProvider router={makeRouter()} />
        </Theme>
      </QueryClientProvider>
    </StrictMode>,
  )
}
