// Made by `npm run gen` from the folders beside it. Do not edit.
import { en as agents } from './agents/en.ts'
import { en as agentsSteps } from './agents/steps.en.ts'
import { en as audit } from './audit/en.ts'
import { en as auth } from './auth/en.ts'
import { en as clusters } from './clusters/en.ts'
import { en as clustersHosts } from './clusters/hosts.en.ts'
import { en as clustersStorage } from './clusters/storage.en.ts'
import { en as common } from './common/en.ts'
import { en as console } from './console/en.ts'
import { en as consoleNouns } from './console/nouns.en.ts'
import { en as consoleRoutes } from './console/routes.en.ts'
import { en as consoleStates } from './console/states.en.ts'
import { en as dashboard } from './dashboard/en.ts'
import { en as images } from './images/en.ts'
import { en as ingress } from './ingress/en.ts'
import { en as ldap } from './ldap/en.ts'
import { en as monitoring } from './monitoring/en.ts'
import { en as notifications } from './notifications/en.ts'
import { en as oauth } from './oauth/en.ts'
import { en as openstack } from './openstack/en.ts'
import { en as permissions } from './permissions/en.ts'
import { en as pipelinesClones } from './pipelines/clones.en.ts'
import { en as pipelines } from './pipelines/en.ts'
import { en as pipelinesGit } from './pipelines/git.en.ts'
import { en as pipelinesJobs } from './pipelines/jobs.en.ts'
import { en as pipelinesParameters } from './pipelines/parameters.en.ts'
import { en as pipelinesReviews } from './pipelines/reviews.en.ts'
import { en as pipelinesTriggers } from './pipelines/triggers.en.ts'
import { en as products } from './products/en.ts'
import { en as quotas } from './quotas/en.ts'
import { en as sample } from './sample/en.ts'
import { en as search } from './search/en.ts'
import { en as settings } from './settings/en.ts'
import { en as specification } from './specification/en.ts'
import { en as stacks } from './stacks/en.ts'
import { en as teams } from './teams/en.ts'
import { en as tokens } from './tokens/en.ts'
import { en as users } from './users/en.ts'
import { en as validators } from './validators/en.ts'

export const en = {
  ...agents,
  ...agentsSteps,
  ...audit,
  ...auth,
  ...clusters,
  ...clustersHosts,
  ...clustersStorage,
  ...common,
  ...console,
  ...consoleNouns,
  ...consoleRoutes,
  ...consoleStates,
  ...dashboard,
  ...images,
  ...ingress,
  ...ldap,
  ...monitoring,
  ...notifications,
  ...oauth,
  ...openstack,
  ...permissions,
  ...pipelinesClones,
  ...pipelines,
  ...pipelinesGit,
  ...pipelinesJobs,
  ...pipelinesParameters,
  ...pipelinesReviews,
  ...pipelinesTriggers,
  ...products,
  ...quotas,
  ...sample,
  ...search,
  ...settings,
  ...specification,
  ...stacks,
  ...teams,
  ...tokens,
  ...users,
  ...validators,
}
