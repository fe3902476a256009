// Made by `npm run gen` from the folders beside it. Do not edit.
import { en as agents } from './agents/en.ts'
import { en as agentsConsole } from './agents-console/en.ts'
import { en as audit } from './audit/en.ts'
import { en as auditConsole } from './audit-console/en.ts'
import { en as auth } from './auth/en.ts'
import { en as blobs } from './blobs/en.ts'
import { en as clusters } from './clusters/en.ts'
import { en as clustersConsole } from './clusters-console/en.ts'
import { en as common } from './common/en.ts'
import { en as console } from './console/en.ts'
import { en as dashboard } from './dashboard/en.ts'
import { en as git } from './git/en.ts'
import { en as hosts } from './hosts/en.ts'
import { en as hostsConsole } from './hosts-console/en.ts'
import { en as images } from './images/en.ts'
import { en as imagesConsole } from './images-console/en.ts'
import { en as ingressConsole } from './ingress-console/en.ts'
import { en as junit } from './junit/en.ts'
import { en as kube } from './kube/en.ts'
import { en as ldap } from './ldap/en.ts'
import { en as ldapConsole } from './ldap-console/en.ts'
import { en as mail } from './mail/en.ts'
import { en as monitoring } from './monitoring/en.ts'
import { en as monitoringConsole } from './monitoring-console/en.ts'
import { en as oauth } from './oauth/en.ts'
import { en as oauthConsole } from './oauth-console/en.ts'
import { en as openstack } from './openstack/en.ts'
import { en as openstackConsole } from './openstack-console/en.ts'
import { en as outbound } from './outbound/en.ts'
import { en as permissions } from './permissions/en.ts'
import { en as pipelines } from './pipelines/en.ts'
import { en as pipelinesConsole } from './pipelines-console/en.ts'
import { en as pods } from './pods/en.ts'
import { en as podsConsole } from './pods-console/en.ts'
import { en as products } from './products/en.ts'
import { en as productsConsole } from './products-console/en.ts'
import { en as prometheus } from './prometheus/en.ts'
import { en as quotas } from './quotas/en.ts'
import { en as quotasConsole } from './quotas-console/en.ts'
import { en as registry } from './registry/en.ts'
import { en as rolesConsole } from './roles-console/en.ts'
import { en as sample } from './sample/en.ts'
import { en as sampleConsole } from './sample-console/en.ts'
import { en as search } from './search/en.ts'
import { en as settings } from './settings/en.ts'
import { en as settingsConsole } from './settings-console/en.ts'
import { en as specification } from './specification/en.ts'
import { en as stacks } from './stacks/en.ts'
import { en as stacksConsole } from './stacks-console/en.ts'
import { en as storage } from './storage/en.ts'
import { en as storageConsole } from './storage-console/en.ts'
import { en as teams } from './teams/en.ts'
import { en as teamsConsole } from './teams-console/en.ts'
import { en as tokens } from './tokens/en.ts'
import { en as tokensConsole } from './tokens-console/en.ts'
import { en as tunnel } from './tunnel/en.ts'
import { en as users } from './users/en.ts'
import { en as usersConsole } from './users-console/en.ts'
import { en as validators } from './validators/en.ts'

export const en = {
  ...agents,
  ...agentsConsole,
  ...audit,
  ...auditConsole,
  ...auth,
  ...blobs,
  ...clusters,
  ...clustersConsole,
  ...common,
  ...console,
  ...dashboard,
  ...git,
  ...hosts,
  ...hostsConsole,
  ...images,
  ...imagesConsole,
  ...ingressConsole,
  ...junit,
  ...kube,
  ...ldap,
  ...ldapConsole,
  ...mail,
  ...monitoring,
  ...monitoringConsole,
  ...oauth,
  ...oauthConsole,
  ...openstack,
  ...openstackConsole,
  ...outbound,
  ...permissions,
  ...pipelines,
  ...pipelinesConsole,
  ...pods,
  ...podsConsole,
  ...products,
  ...productsConsole,
  ...prometheus,
  ...quotas,
  ...quotasConsole,
  ...registry,
  ...rolesConsole,
  ...sample,
  ...sampleConsole,
  ...search,
  ...settings,
  ...settingsConsole,
  ...specification,
  ...stacks,
  ...stacksConsole,
  ...storage,
  ...storageConsole,
  ...teams,
  ...teamsConsole,
  ...tokens,
  ...tokensConsole,
  ...tunnel,
  ...users,
  ...usersConsole,
  ...validators,
}
