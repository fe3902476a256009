// Made by `npm run gen` from domains/*/routes.tsx. Do not edit.
import type { AppRoute } from './ui/route.ts'
import { routes as auth } from './domains/auth/routes.tsx'
import { routes as dashboard } from './domains/dashboard/routes.tsx'
import { routes as pipelines } from './domains/pipelines/routes.tsx'
import { routes as users } from './domains/users/routes.tsx'

export const routes: readonly AppRoute[] = [
  ...auth,
  ...dashboard,
  ...pipelines,
  ...users,
]
