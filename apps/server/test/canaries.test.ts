import type { Endpoint } from '@gantry/contract/endpoint'
import { expect, test } from 'vitest'
import { jsonb } from '../src/db/json.ts'
import { permissionKeys } from '../src/domains/auth/public.ts'
import { masker } from '../src/kernel/secrets/masking.ts'
import { openLog } from '../src/kernel/log.ts'
import { seal } from '../src/kernel/secrets/secrets.ts'
import { type Kind, kindOf, paramsIn } from './parameters.ts'
import { testApp, type TestCaller } from './test-app.ts'

/**
 * Puts a secret into every field that holds one, and then calls every read as every role: no answer, log line, audit
 * row or event may contain one of them in any encoding.
 */
const lines: string[] = []
const app = await testApp({ log: openLog('trace', (line) => lines.push(line)) })
const ctx = app.ctx()
const canaries: string[] = []
const canary = (name: string): string => {
  const text = `canary&${name}+${crypto.randomUUID()}`
  canaries.push(text)
  return text
}
const sealed = (name: string): string => seal(ctx, canary(name))
const variables = (name: string) => jsonb([{ name: 'TOKEN', value: sealed(name), secret: true }])

const team = await app.team()
const other = await app.team()
const all = await team.member([...(await permissionKeys())])
const none = await team.member()

const { id: group } = await app.db
  .insertInto('pipeline_group')
  .values({ team_id: team.id, name: 'group', variables: variables('group-variable') })
  .returning('id')
  .executeTakeFirstOrThrow()
const { id: credential } = await app.db
  .insertInto('pipeline_credential')
  .values({
    team_id: team.id,
    name: 'bot',
    description: '',
    kind: 'password',
    host: 'git.example',
    username: 'bot',
    secret: sealed('credential'),
  })
  .returning('id')
  .executeTakeFirstOrThrow()
const { id: pipeline } = await app.db
  .insertInto('pipeline')
  .values({
    team_id: team.id,
    group_id: group,
    name: 'pipeline',
    repository_url: 'https://git.example/a.git',
    repository_branch: 'main',
    repository_username: 'bot',
    repository_password: sealed('repository'),
    repository_credential_id: credential,
    repository_private_key: sealed('private-key'),
    variables: variables('pipeline-variable'),
  })
  .returning('id')
  .executeTakeFirstOrThrow()
await app.db
  .insertInto('build')
  .values({
    pipeline_id: pipeline,
    team_id: team.id,
    number: 1,
    cause: 'manual',
    user_cause: 'x',
    by_admin: false,
    definition: jsonb([]),
    timeout_seconds: 60,
  })
  .execute()
const { id: registry } = await app.db
  .insertInto('registry')
  .values({
    team_id: team.id,
    name: 'registry',
    url: 'https://registry.example',
    username: 'bot',
    password: sealed('registry'),
  })
  .returning('id')
  .executeTakeFirstOrThrow()
const { id: certificate } = await app.db
  .insertInto('certificate')
  .values({
    name: 'certificate',
    chain: '',
    private_key: sealed('certificate'),
    subject: 'CN=shop.example',
    issuer: 'CN=authority',
    names: ['shop.example'],
    fingerprint: '',
    valid_from: '2026-01-01',
    valid_until: '2027-01-01',
  })
  .returning('id')
  .executeTakeFirstOrThrow()
await app.db.insertInto('certificate_team').values({ certificate_id: certificate, team_id: team.id }).execute()
const { uuid: environment } = await app.db
  .insertInto('environment')
  .values({ name: 'cluster', server: 'https://kube.example', address: sealed('kubeconfig') })
  .returning('uuid')
  .executeTakeFirstOrThrow()
await app.db.insertInto('environment_team').values({ environment, team_id: team.id }).execute()
await app.db
  .insertInto('monitoring_source')
  .values({
    environment,
    kind: 'prometheus',
    url: 'https://prometheus.example',
    username: 'reader',
    password: sealed('prometheus-password'),
    token: sealed('prometheus-token'),
    cluster: '',
  })
  .execute()
for (const kind of ['jaeger', 'kiali'] as const)
  await app.db
    .insertInto('tracing_source')
    .values({
      environment,
      kind,
      url: `https://${kind}.example`,
      username: 'reader',
      password: sealed(`${kind}-password`),
      token: sealed(`${kind}-token`),
    })
    .execute()
// `:uuid` is the environment's below, so these rows have the same
await app.db
  .insertInto('openstack')
  .values({
    uuid: environment,
    environment,
    name: 'openstack',
    auth_url: 'https://keystone.example',
    username: 'kuryr',
    password: sealed('openstack'),
    project_name: 'demo',
    project_domain_name: 'Default',
    user_domain_name: 'Default',
  })
  .execute()
await app.db
  .insertInto('zone')
  .values({
    uuid: environment,
    environment,
    openstack: environment,
    name: 'zone',
    type: 'normal',
    fields: jsonb({
      neutronDefaults: { project: '', podSecurityGroups: [], podSubnet: '', serviceSubnet: '', reservedIp: [] },
      k8s: { podVifDriver: '' },
      binding: { driver: '', linkIface: '' },
      podVifNested: { workerNodesSubnet: '' },
    }),
  })
  .execute()
const { id: harbor } = await app.db
  .insertInto('harbor')
  .values({
    name: 'harbor',
    url: 'https://harbor.example',
    username: 'admin',
    password: sealed('harbor'),
    version: '2',
  })
  .returning('id')
  .executeTakeFirstOrThrow()
const { id: stack } = await app.db
  .insertInto('stack')
  .values({ team_id: team.id, environment, name: 'stack', namespace: 'team-stack', actor: 'x' })
  .returning('id')
  .executeTakeFirstOrThrow()
await app.db
  .insertInto('registry')
  .values({ name: 'shared', url: 'https://shared.example', username: 'bot', password: sealed('platform-registry') })
  .execute()
const { id: helm } = await app.db
  .insertInto('helm_repository')
  .values({
    name: 'charts',
    url: 'https://charts.example',
    kind: 'index',
    username: 'bot',
    password: sealed('helm-repository'),
    ca: sealed('helm-authority'),
  })
  .returning('id')
  .executeTakeFirstOrThrow()
await app.db.insertInto('helm_repository_team').values({ repository_id: helm, team_id: team.id }).execute()
await app.db
  .insertInto('helm_release')
  .values({
    stack_id: stack,
    name: 'release',
    repository_id: helm,
    chart: 'hello',
    version: '1.0.0',
    given_values: sealed('helm-values'),
    state: 'deployed',
    actor: 'x',
  })
  .execute()
await app.db
  .insertInto('ldap_server')
  .values({
    name: 'directory',
    url: 'ldap://ldap.example',
    start_tls: false,
    ca: '',
    bind_dn: 'cn=reader',
    bind_password: sealed('directory'),
    base_dn: 'dc=example',
    user_filter: '(uid=*)',
    user_name_attribute: 'uid',
    nickname_attribute: 'cn',
    email_attribute: 'mail',
    group_base_dn: '',
    group_member_attribute: 'member',
    create_at_login: true,
    enabled: false,
  })
  .execute()
await app.db
  .insertInto('setting')
  .values({
    name: 'mail',
    value: jsonb({
      enabled: false,
      host: 'smtp.example',
      port: 587,
      security: 'starttls',
      userName: 'bot',
      password: sealed('mail'),
      from: 'gantry@example.test',
      fromName: '',
      lang: 'en',
    }),
  })
  .execute()
const { id: alarmChannel } = await app.db
  .insertInto('alarm_channel')
  .values({
    team_id: team.id,
    name: 'chat',
    kind: 'webhook',
    addresses: [],
    members: false,
    url: 'http://hook.example',
    secret: sealed('alarm-channel'),
    language: 'en',
  })
  .returning('id')
  .executeTakeFirstOrThrow()
const { id: jira } = await app.db
  .insertInto('jira')
  .values({
    name: 'jira',
    url: 'http://jira.example',
    kind: 'data-center',
    email: '',
    token: sealed('jira'),
    all_teams: true,
    projects: ['SHOP'],
    comment: false,
    transition: '',
    version: '10.3.0',
    login: 'bot',
  })
  .returning('id')
  .executeTakeFirstOrThrow()
await app.db
  .insertInto('jira')
  .values({
    name: 'TAPD',
    url: 'http://tapd.example',
    kind: 'tapd',
    email: 'robot',
    token: sealed('tapd'),
    all_teams: true,
    projects: ['20375571'],
    comment: false,
    transition: '',
    version: '',
    login: 'robot',
  })
  .execute()
await app.db
  .updateTable('account')
  .set({ password_hash: canary('password-hash') })
  .execute()

const ids: Record<string, unknown> = { group, pipeline, registry, certificate, environment, stack }

const known: Partial<Record<Kind, unknown>> = {
  team: team.id,
  jira,
  env: environment,
  openstack: environment,
  zone: environment,
  group,
  pipeline,
  registry,
  certificate,
  alarmChannel,
  harbor,
  stack,
  build: 1,
  step: 0,
  user: all.id,
}

const paramsOf = (e: Endpoint): Record<string, unknown> =>
  Object.fromEntries(paramsIn(e).map(([name]) => [name, known[kindOf(e.path, name) ?? 'team'] ?? team.id]))

const reads = app.server.endpoints.filter(
  (e) => e.method === 'GET' && app.fastify.hasRoute({ method: 'GET', url: e.path }),
)
// all canaries are stored by now
const hide = masker(canaries)
const found = (text: string): boolean => hide(text) !== text

test('the search finds a secret in every encoding', () => {
  const [first = ''] = canaries
  for (const spelling of [
    first,
    encodeURIComponent(first),
    JSON.stringify(first),
    Buffer.from(`ab${first}c`).toString('base64'),
  ])
    expect(found(`x${spelling}y`)).toBe(true)
  expect(found('nothing here')).toBe(false)
})

test('no read returns a secret to anyone', async () => {
  const callers: Record<string, TestCaller> = {
    admin: app.admin,
    leader: team.leader,
    all,
    none,
    other: other.leader,
    anonymous: app.anonymous,
  }
  const leaks: string[] = []
  let answered = 0
  for (const e of reads) {
    for (const [role, caller] of Object.entries(callers)) {
      const answer = await caller.request(e, { params: paramsOf(e) })
      if (answer.statusCode === 200 && role === 'admin') answered += 1
      if (found(answer.body) || found(JSON.stringify(answer.headers))) leaks.push(`${e.path} tells ${role}`)
    }
  }
  expect(leaks).toEqual([])
  // otherwise the reads were refused and the test proved nothing
  expect(answered).toBeGreaterThan(reads.length / 2)
})

test('neither do the log, the audit log and the events', async () => {
  await app.admin.raw({
    method: 'POST',
    url: '/api/users/login',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ username: 'admin', password: canaries[0] }),
  })
  ctx.log.info({ body: { anything: canaries[0] }, err: new Error(canaries[1]) }, canaries[2])
  const { rows: trail } = await app.database.pool.query('select * from audit_log')
  const { rows: events } = await app.database.pool.query('select * from outbox')
  expect([trail.length > 0, lines.length > 0]).toEqual([true, true])
  expect([found(JSON.stringify(trail)), found(JSON.stringify(events)), found(lines.join(''))]).toEqual([
    false,
    false,
    false,
  ])
  expect(Object.values(ids).every(Boolean)).toBe(true)
})
