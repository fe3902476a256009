import { type Endpoint, isInBody } from '@gantry/contract/endpoint'
import { repoIdOf, tagIdOf } from '@gantry/contract/images/keys'
import type { z } from 'zod'
import { schemaOf } from '../src/http/openapi/openapi.ts'
import { openRandom } from './fuzz/random.ts'
import { valueOf } from './fuzz/values.ts'

/** What an id or name in a call refers to. */
export type Kind =
  | 'team'
  | 'user'
  | 'role'
  | 'systemRole'
  | 'permission'
  | 'token'
  | 'family'
  | 'auditRow'
  | 'ldap'
  | 'env'
  | 'host'
  | 'volume'
  | 'driver'
  | 'openstack'
  | 'zone'
  | 'registry'
  | 'platformRegistry'
  | 'imageRepository'
  | 'imageTag'
  | 'harbor'
  | 'harborProject'
  | 'harborNamespace'
  | 'replication'
  | 'helmRepository'
  | 'helmRepositoryName'
  | 'chart'
  | 'chartVersion'
  | 'release'
  | 'group'
  | 'pipeline'
  | 'batch'
  | 'build'
  | 'version'
  | 'queue'
  | 'stage'
  | 'step'
  | 'artifact'
  | 'trigger'
  | 'dockerfile'
  | 'configProject'
  | 'configProfile'
  | 'configTemplate'
  | 'credential'
  | 'rule'
  | 'agent'
  | 'webhook'
  | 'jira'
  | 'backup'
  | 'catalog'
  | 'catalogTag'
  | 'catalogTemplate'
  | 'certificate'
  | 'domain'
  | 'delivery'
  | 'alarmRule'
  | 'alarmRuleName'
  | 'alarmTemplate'
  | 'alarmChannel'
  | 'image'
  | 'work'
  | 'attempt'
  | 'product'
  | 'blueprint'
  | 'blueprintUuid'
  | 'stack'
  | 'stackUuid'
  | 'stackName'
  | 'service'
  | 'serviceName'
  | 'serviceAndType'
  | 'pod'
  | 'container'
  | 'teamName'
  | 'envName'
  | 'productName'
  | 'pipelineName'

/** By the name of a parameter or field, and if that is ambiguous by the call's path. The first match counts. */
const kinds: readonly [name: RegExp, kind: Kind, path?: RegExp][] = [
  [/^(teamId|team_id|tenantId|tenant|team|t|teamIds)$/, 'team'],
  [/^name$/, 'configProject', /^\/config-center\/.*\/projects\//],
  [/^uuid$/, 'configProfile', /^\/config-center\/.*\/profiles\//],
  [/^(uuid|templateId)$/, 'configTemplate', /^\/config-center\//],
  [/^(env|envId|envUuid|e)$/, 'env'],
  [/^uuid$/, 'env', /\/environments\/:uuid/],
  [/^(uuid|openStackUuid)$/, 'openstack', /\/openstacks\/|\/zones\/environments\/:env$/],
  [/^uuid$/, 'zone', /\/zones\//],
  [/^uuid$/, 'stack', /\/(stacks|stack)\//],
  [/^uuid$/, 'blueprintUuid', /\/blueprint\/translate/],
  [/^(id|uuid)$/, 'blueprint', /\/blueprint\//],
  [/^blueprintId$/, 'blueprint'],
  [/^(applicationId|application_id)$/, 'product'],
  [/^uuid$/, 'pipeline', /\/pipelines\/:uuid/],
  [/^host$/, 'host', /environments/],
  [/^name$/, 'stackName', /\/(stacks\/:name|stack\/:name\/pvcs)$/],
  [/^name$/, 'volume', /persistent-volumes\/:name/],
  [/^name$/, 'driver', /drivers\/:name/],
  [/^name$/, 'container', /container\/:name/],
  [/^name$/, 'permission', /permissions\/:name/],
  [/^id$/, 'stack', /\/stack\/:id/],
  [/^(stackId|s)$/, 'stack'],
  [/^(stackUuid|stackUUID)$/, 'stackUuid'],
  [/^(stackName|stack_name)$/, 'stackName'],
  [/^id$/, 'service', /\/service\/:id/],
  [/^(serviceId|svc)$/, 'service'],
  [/^service$/, 'service', /monitor-metrics/],
  [/^idAndType$/, 'serviceAndType'],
  [/^serviceName$/, 'serviceName'],
  [/^id$/, 'pod', /\/container\/:id/],
  [/^(podId|i)$/, 'pod'],
  [/^(pipelineGroupId|appId|groupId)$/, 'group'],
  [/^id$/, 'group', /^\/api\/projects\/:id/],
  [/^id$/, 'batch', /\/pipelines\/batch\/history\//],
  [/^id$/, 'pipeline', /\/pipelines\//],
  [/^pipelineId$/, 'pipeline'],
  [/^(revision|from)$/, 'version', /\/versions\/:revision/],
  [/^number$/, 'build'],
  [/^queueId$/, 'queue'],
  [/^stage$/, 'stage'],
  [/^step$/, 'step'],
  [/^artifactId$/, 'artifact'],
  [/^triggerId$/, 'trigger'],
  [/^imageId$/, 'image'],
  [/^dockerfileId$/, 'dockerfile'],
  [/^credentialId$/, 'credential'],
  [/^alert_id$/, 'alarmRule'],
  [/^ruleId$/, 'alarmRule', /\/monitor-api\//],
  [/^id$/, 'team', /\/monitor-api\/v1\/\w+\/:id/],
  [/^name$/, 'alarmRuleName', /\/alerts\/:name/],
  [/^ID$/, 'alarmTemplate', /\/templates\/:ID/],
  [/^ID$/, 'alarmChannel', /\/notifications\/:ID/],
  [/^ruleId$/, 'rule'],
  [/^deliveryId$/, 'delivery'],
  [/^catalogId$/, 'catalog'],
  [/^id$/, 'catalog', /^\/catalog\/api\/catalogs/],
  [/^tagIds$/, 'catalogTag', /^\/catalog\//],
  [/^tag$/, 'catalogTag', /^\/catalog\//],
  [/^id$/, 'catalogTag', /^\/catalog\/api\/tags\//],
  [/^templateId$/, 'catalogTemplate', /^\/orchestration\//],
  [/^id$/, 'catalogTemplate', /^\/catalog\/api\/templates\//],
  [/^certificateId$/, 'certificate'],
  [/^id$/, 'domain', /\/domains\/:id/],
  [/^id$/, 'webhook', /\/webhook\//],
  [/^id$/, 'jira', /^\/api\/jira\/configs\//],
  [/^jiraConfigId$/, 'jira'],
  [/^id$/, 'backup', /^\/backup-restore\/backupfile\//],
  [/^id$/, 'agent', /^\/api\/agents\/:id/],
  [/^jobId$/, 'work'],
  [/^attempt$/, 'attempt'],
  [/^id$/, 'helmRepository', /^\/helm\/api\/repositories/],
  [/^(helmId|repoId|repositoryId)$/, 'helmRepository', /^\/helm\//],
  [/^repoName$/, 'helmRepositoryName', /^\/helm\//],
  [/^(chartName|chart)$/, 'chart', /^\/helm\//],
  [/^version$/, 'chartVersion', /^\/helm\//],
  [/^id$/, 'release', /^\/helm\/api\/releases\//],
  [/^id$/, 'platformRegistry', /^\/api\/registries\/:id/],
  [/^id$/, 'registry', /^\/api\/v2\/docker-repos\//],
  [/^repoId$/, 'imageRepository', /^\/api\/v2\/docker-repos\//],
  [/^tagId$/, 'imageTag'],
  [/^id$/, 'registry', /\/registries\//],
  [/^registryId$/, 'registry'],
  [/^id$/, 'harbor', /^\/api\/harbors\//],
  [/^(harbor|harborId)$/, 'harbor'],
  [/^projectId$/, 'harborProject', /^\/api\/harbors\//],
  [/^namespaceId$/, 'harborNamespace'],
  [/^replicationId$/, 'replication'],
  [/^id$/, 'ldap', /\/ldaps\//],
  [/^ldapId$/, 'ldap'],
  [/^id$/, 'product', /\/application\//],
  [/^productId$/, 'product'],
  [/^id$/, 'user', /^\/api\/users\/:id/],
  [/^userId$/, 'user'],
  [/^roleId$/, 'systemRole', /^\/api\/roles/],
  [/^(roleId|from)$/, 'role', /tenants|view-as|ldaps|oauth/],
  [/^id$/, 'token', /^\/api\/token/],
  [/^id$/, 'auditRow', /audit-logs/],
  [/^family$/, 'family'],
  [/^id$/, 'team', /^\/api\/teams\/:id/],
]

export const kindOf = (path: string, name: string): Kind | undefined =>
  kinds.find(([names, , paths]) => names.test(name) && (paths === undefined || paths.test(path)))?.[1]

/** The path's parameters by name, with their schemas. */
export const paramsIn = ({ params }: Endpoint): [name: string, schema: z.ZodType][] =>
  Object.entries((params as z.ZodObject).shape)

export const someUuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const someImage = { registryId: 2_147_483_000, repository: 'none', tag: 'none' }
const fitting = [
  2_147_483_000,
  someUuid,
  repoIdOf(someImage),
  tagIdOf(someImage),
  3,
  'x1',
  '1_x',
  '1-1',
  '1.1',
  'RANGE',
  'cluster_cpu_usage',
  'jaeger',
]

/** Valid values that refer to nothing except the team, so that the call gets as far as authorization. */
export function fittingParams(e: Endpoint, teamId: number): Record<string, unknown> {
  const team = typeof e.access === 'object' && 'team' in e.access ? e.access.team : undefined
  return Object.fromEntries(
    paramsIn(e).map(([name, schema]) => [
      name,
      name === team ? teamId : (fitting.find((value) => schema.safeParse(String(value)).success) ?? 'x'),
    ]),
  )
}

/** A valid body that refers to nothing, for calls whose body says what they are about; else none. */
export function fittingBody(e: Endpoint): Record<string, unknown> | undefined {
  if (!isInBody(e.access)) return undefined
  const body = valueOf(schemaOf(e.body, 'input'), {
    random: openRandom(1),
    known: (path) => (path.at(-1) === 'url' ? 'http://registry.example' : undefined),
    fresh: () => 'x1',
    secret: () => 'x1',
    optional: 0,
  })
  return { ...(body as object), [e.access.by]: fitting[0] }
}
