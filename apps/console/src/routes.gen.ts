// Made by `npm run gen` from domains/*/routes.tsx. Do not edit.
import type { AppRoute } from './ui/route.ts'
import { routes as agents } from './domains/agents/routes.tsx'
import { routes as alarms } from './domains/alarms/routes.tsx'
import { routes as audit } from './domains/audit/routes.tsx'
import { routes as auth } from './domains/auth/routes.tsx'
import { routes as blueprints } from './domains/blueprints/routes.tsx'
import { routes as buildImages } from './domains/build-images/routes.tsx'
import { routes as catalog } from './domains/catalog/routes.tsx'
import { routes as certificates } from './domains/certificates/routes.tsx'
import { routes as clusters } from './domains/clusters/routes.tsx'
import { routes as codeQuality } from './domains/code-quality/routes.tsx'
import { routes as configCentre } from './domains/config-centre/routes.tsx'
import { routes as dashboard } from './domains/dashboard/routes.tsx'
import { routes as dockerfiles } from './domains/dockerfiles/routes.tsx'
import { routes as harbor } from './domains/harbor/routes.tsx'
import { routes as helm } from './domains/helm/routes.tsx'
import { routes as images } from './domains/images/routes.tsx'
import { routes as ldap } from './domains/ldap/routes.tsx'
import { routes as logShipping } from './domains/log-shipping/routes.tsx'
import { routes as monitoring } from './domains/monitoring/routes.tsx'
import { routes as oauth } from './domains/oauth/routes.tsx'
import { routes as openstack } from './domains/openstack/routes.tsx'
import { routes as pipelines } from './domains/pipelines/routes.tsx'
import { routes as products } from './domains/products/routes.tsx'
import { routes as settings } from './domains/settings/routes.tsx'
import { routes as stacks } from './domains/stacks/routes.tsx'
import { routes as teams } from './domains/teams/routes.tsx'
import { routes as tokens } from './domains/tokens/routes.tsx'
import { routes as tracing } from './domains/tracing/routes.tsx'
import { routes as trackers } from './domains/trackers/routes.tsx'
import { routes as users } from './domains/users/routes.tsx'
import { routes as webhooks } from './domains/webhooks/routes.tsx'

export const routes: readonly AppRoute[] = [
  ...agents,
  ...alarms,
  ...audit,
  ...auth,
  ...blueprints,
  ...buildImages,
  ...catalog,
  ...certificates,
  ...clusters,
  ...codeQuality,
  ...configCentre,
  ...dashboard,
  ...dockerfiles,
  ...harbor,
  ...helm,
  ...images,
  ...ldap,
  ...logShipping,
  ...monitoring,
  ...oauth,
  ...openstack,
  ...pipelines,
  ...products,
  ...settings,
  ...stacks,
  ...teams,
  ...tokens,
  ...tracing,
  ...trackers,
  ...users,
  ...webhooks,
]
