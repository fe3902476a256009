// Made by `npm run gen` from the folders beside it. Do not edit.
import { zh as agents } from './agents/zh.ts'
import { zh as agentsConsole } from './agents-console/zh.ts'
import { zh as audit } from './audit/zh.ts'
import { zh as auditConsole } from './audit-console/zh.ts'
import { zh as auth } from './auth/zh.ts'
import { zh as blobs } from './blobs/zh.ts'
import { zh as clusters } from './clusters/zh.ts'
import { zh as clustersConsole } from './clusters-console/zh.ts'
import { zh as common } from './common/zh.ts'
import { zh as console } from './console/zh.ts'
import { zh as dashboard } from './dashboard/zh.ts'
import { zh as git } from './git/zh.ts'
import { zh as hosts } from './hosts/zh.ts'
import { zh as hostsConsole } from './hosts-console/zh.ts'
import { zh as images } from './images/zh.ts'
import { zh as imagesConsole } from './images-console/zh.ts'
import { zh as ingressConsole } from './ingress-console/zh.ts'
import { zh as junit } from './junit/zh.ts'
import { zh as kube } from './kube/zh.ts'
import { zh as ldap } from './ldap/zh.ts'
import { zh as ldapConsole } from './ldap-console/zh.ts'
import { zh as mail } from './mail/zh.ts'
import { zh as monitoring } from './monitoring/zh.ts'
import { zh as monitoringConsole } from './monitoring-console/zh.ts'
import { zh as oauth } from './oauth/zh.ts'
import { zh as oauthConsole } from './oauth-console/zh.ts'
import { zh as openstack } from './openstack/zh.ts'
import { zh as openstackConsole } from './openstack-console/zh.ts'
import { zh as outbound } from './outbound/zh.ts'
import { zh as permissions } from './permissions/zh.ts'
import { zh as pipelines } from './pipelines/zh.ts'
import { zh as pipelinesConsole } from './pipelines-console/zh.ts'
import { zh as pods } from './pods/zh.ts'
import { zh as podsConsole } from './pods-console/zh.ts'
import { zh as products } from './products/zh.ts'
import { zh as productsConsole } from './products-console/zh.ts'
import { zh as prometheus } from './prometheus/zh.ts'
import { zh as quotas } from './quotas/zh.ts'
import { zh as quotasConsole } from './quotas-console/zh.ts'
import { zh as registry } from './registry/zh.ts'
import { zh as rolesConsole } from './roles-console/zh.ts'
import { zh as sample } from './sample/zh.ts'
import { zh as sampleConsole } from './sample-console/zh.ts'
import { zh as search } from './search/zh.ts'
import { zh as settings } from './settings/zh.ts'
import { zh as settingsConsole } from './settings-console/zh.ts'
import { zh as specification } from './specification/zh.ts'
import { zh as stacks } from './stacks/zh.ts'
import { zh as stacksConsole } from './stacks-console/zh.ts'
import { zh as storage } from './storage/zh.ts'
import { zh as storageConsole } from './storage-console/zh.ts'
import { zh as teams } from './teams/zh.ts'
import { zh as teamsConsole } from './teams-console/zh.ts'
import { zh as tokens } from './tokens/zh.ts'
import { zh as tokensConsole } from './tokens-console/zh.ts'
import { zh as tunnel } from './tunnel/zh.ts'
import { zh as users } from './users/zh.ts'
import { zh as usersConsole } from './users-console/zh.ts'
import { zh as validators } from './validators/zh.ts'

export const zh = {
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
