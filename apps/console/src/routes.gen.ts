// Made by `npm run gen` from domains/*/routes.tsx. Do not edit.
import type { AppRoute } from './ui/route.ts'
import { routes as agents } from './domains/agents/routes.tsx'
import { routes as audit } from './domains/audit/routes.tsx'
import { routes as auth } from './domains/auth/routes.tsx'
import { routes as clusters } from './domains/clusters/routes.tsx'
import { routes as dashboard } from './domains/dashboard/routes.tsx'
import { routes as images } from './domains/images/routes.tsx'
import { routes as ldap } from './domains/ldap/routes.tsx'
import { routes as monitoring } from './domains/monitoring/routes.tsx'
import { routes as oauth } from './domains/oauth/routes.tsx'
import { routes as openstack } from './domains/openstack/routes.tsx'
import { routes as pipelines } from './domains/pipelines/routes.tsx'
import { routes as products } from './domains/products/routes.tsx'
import { routes as settings } from './domains/settings/routes.tsx'
import { routes as stacks } from './domains/stacks/routes.tsx'
import { routes as teams } from './domains/teams/routes.tsx'
import { routes as tokens } from './domains/tokens/routes.tsx'
import { routes as users } from './domains/users/routes.tsx'

const domains: Record<string, readonly AppRoute[]> = {
  agents,
  audit,
  auth,
  clusters,
  dashboard,
  images,
  ldap,
  monitoring,
  oauth,
  openstack,
  pipelines,
  products,
  settings,
  stacks,
  teams,
  tokens,
  users,
}

export const routes: readonly AppRoute[] = Object.entries(domains).flatMap(([domain, own]) =>
  own.map((route) => ({ ...route, domain })),
)
