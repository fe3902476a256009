// Made by `npm run gen` from the folders beside it. Do not edit.
import { zh as agents } from './agents/zh.ts'
import { zh as agentsSteps } from './agents/steps.zh.ts'
import { zh as audit } from './audit/zh.ts'
import { zh as auth } from './auth/zh.ts'
import { zh as clusters } from './clusters/zh.ts'
import { zh as clustersHosts } from './clusters/hosts.zh.ts'
import { zh as clustersStorage } from './clusters/storage.zh.ts'
import { zh as common } from './common/zh.ts'
import { zh as console } from './console/zh.ts'
import { zh as consoleNouns } from './console/nouns.zh.ts'
import { zh as consoleRoutes } from './console/routes.zh.ts'
import { zh as consoleStates } from './console/states.zh.ts'
import { zh as dashboard } from './dashboard/zh.ts'
import { zh as images } from './images/zh.ts'
import { zh as ingress } from './ingress/zh.ts'
import { zh as ldap } from './ldap/zh.ts'
import { zh as monitoring } from './monitoring/zh.ts'
import { zh as notifications } from './notifications/zh.ts'
import { zh as oauth } from './oauth/zh.ts'
import { zh as openstack } from './openstack/zh.ts'
import { zh as permissions } from './permissions/zh.ts'
import { zh as pipelinesClones } from './pipelines/clones.zh.ts'
import { zh as pipelines } from './pipelines/zh.ts'
import { zh as pipelinesGit } from './pipelines/git.zh.ts'
import { zh as pipelinesJobs } from './pipelines/jobs.zh.ts'
import { zh as pipelinesParameters } from './pipelines/parameters.zh.ts'
import { zh as pipelinesReviews } from './pipelines/reviews.zh.ts'
import { zh as pipelinesTriggers } from './pipelines/triggers.zh.ts'
import { zh as products } from './products/zh.ts'
import { zh as quotas } from './quotas/zh.ts'
import { zh as sample } from './sample/zh.ts'
import { zh as search } from './search/zh.ts'
import { zh as settings } from './settings/zh.ts'
import { zh as specification } from './specification/zh.ts'
import { zh as stacks } from './stacks/zh.ts'
import { zh as teams } from './teams/zh.ts'
import { zh as tokens } from './tokens/zh.ts'
import { zh as users } from './users/zh.ts'
import { zh as validators } from './validators/zh.ts'

export const zh = {
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
