import { requiredPermissions, callOf, type Endpoint, permissionsOf } from '@gantry/contract/endpoint'
import { hosts } from '@gantry/contract/clusters/hosts'
import { builds } from '@gantry/contract/pipelines/builds'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { imports } from '@gantry/contract/blueprints/imports'
import { promotions } from '@gantry/contract/blueprints/promotions'
import { releases } from '@gantry/contract/blueprints/releases'
import { products } from '@gantry/contract/products/products'
import { sample } from '@gantry/contract/sample/sample'
import { containers } from '@gantry/contract/stacks/containers/containers'
import { containerFiles } from '@gantry/contract/stacks/containers/files'
import { serviceLogs } from '@gantry/contract/stacks/containers/logs'
import { drift } from '@gantry/contract/stacks/drift'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { beforeAll, describe, expect, test } from 'vitest'
import { admit } from '../src/http/admit.ts'
import type { Owner } from '../src/http/server.ts'
import { allPermissions } from '../src/domains/auth/public.ts'
import { Fault } from '../src/kernel/fault.ts'
import { type Caller, findApiToken, findSession, hashToken, newToken, viewAs } from '../src/identity/sessions.ts'
import { start as rolesOfTheProduct } from '../src/domains/teams/system-roles/system-roles.start.ts'
import { fittingParams } from './parameters.ts'
import { testApp, type TestCaller } from './test-app.ts'

/**
 * Every call × every permission, for members, API tokens, holders of a system role and views as a role: a call is open
 * with exactly the permissions that it requires, and refused with all others. New endpoints are covered automatically.
 */
const app = await testApp()
await rolesOfTheProduct.run(app.ctx())
const endpoints = app.server.endpoints.filter((e) => app.fastify.hasRoute({ method: e.method, url: e.path }))
const permissions = (await allPermissions()).map(({ name }) => name)
const ours = await app.team()

/** Every stored object counts as ours: these tests are about permissions, not existence. */
const owners = new Map<string, Owner>(
  [...app.server.owners.keys()].map((kind) => [kind, { kind, teamOf: async () => ours.id }]),
)
const server = { database: app.database, owners }

const named = (kind: (e: Endpoint) => boolean) => endpoints.filter(kind).map((e) => [callOf(e), e] as const)

function paramsOf({ access }: Endpoint): Record<string, unknown> {
  if (typeof access === 'string' || 'system' in access) return {}
  return 'team' in access ? { [access.team]: ours.id } : { [access.by]: '1' }
}

/** Key of the refusal, or `open`. */
async function verdict(caller: Caller, e: Endpoint): Promise<string> {
  try {
    await admit(server, caller, e, paramsOf(e))
    return 'open'
  } catch (error) {
    if (error instanceof Fault) return error.key
    throw error
  }
}

async function callerOf({ token = '' }: TestCaller): Promise<Caller> {
  const caller = await findSession(app.db, token)
  if (!caller) throw new Error('no session')
  return caller
}

async function member(carried: string[]): Promise<Caller> {
  return callerOf(await ours.member(carried))
}

let aliases = 0
async function tokenOf(account: { id: number }, carried: string[], teamId = ours.id): Promise<string> {
  const token = newToken('api')
  await app.db
    .insertInto('api_token')
    .values({
      team_id: teamId,
      account_id: account.id,
      alias: `t${++aliases}`,
      token_hash: hashToken(token),
      permissions: carried,
    })
    .execute()
  return token
}

async function tokenCaller(carried: string[]): Promise<Caller> {
  const caller = await findApiToken(app.db, await tokenOf(ours.leader, carried))
  if (!caller) throw new Error('no token')
  return caller
}

async function holder(carried: string[]): Promise<Caller> {
  const one = await app.user()
  const role = await app.db
    .insertInto('system_role')
    .values({ name: `system-${one.id}`, permissions: carried })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('account_system_role').values({ account_id: one.id, role_id: role.id }).execute()
  return callerOf(one)
}

/** A leader who views the team as a role with these permissions. */
async function viewer(carried: string[]) {
  const leader = await app.user()
  await app.db.insertInto('team_member').values({ team_id: ours.id, account_id: leader.id, leader: true }).execute()
  const role = await app.db
    .insertInto('team_role')
    .values({ team_id: ours.id, name: `seen-${leader.id}`, permissions: carried })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { session } = await callerOf(leader)
  await viewAs(app.ctx(), session?.family ?? '', role.id)
  return leader
}

const kinds = {
  'a member': { make: member, refused: /^permission-missing/ },
  'an API token of a leader': { make: tokenCaller, refused: /^permission-missing-token$/ },
  'a holder of a system role': { make: holder, refused: /^(permission-missing|(user-team|resource-missing)$)/ },
  'who looks through a role': {
    make: async (carried: string[]) => callerOf(await viewer(carried)),
    refused: /^permission-missing-view$/,
  },
} as const

/** How many single permissions are tried for each rule. */
const alone = 6

const guardedBy = (e: Endpoint): readonly string[] => permissionsOf(e.access)
const inTeam = (e: Endpoint) => typeof e.access === 'object' && !('system' in e.access) && guardedBy(e).length > 0
const looks = (e: Endpoint) => e.method === 'GET' && e.audit === undefined

describe.for(Object.keys(kinds) as (keyof typeof kinds)[])('%s', (kind) => {
  const { make, refused } = kinds[kind]
  const single = new Map<string, Caller>()
  const others = new Map<string, Caller>()
  const together = new Map<string, Caller>()
  const calls = endpoints.filter(
    (e) =>
      inTeam(e) &&
      (kind !== 'who looks through a role' || looks(e)) &&
      (kind !== 'an API token of a leader' || e.forTokens !== false),
  )

  beforeAll(async () => {
    for (const key of permissions) {
      single.set(key, await make([key]))
      others.set(key, await make(permissions.filter((other) => other !== key)))
    }
    for (const keys of calls.map(guardedBy)) together.set(String(keys), await make([...keys]))
  }, 60_000)

  test('is allowed with exactly the permissions that a call requires', { timeout: 120_000 }, async () => {
    const wrong: string[] = []
    const asked = new Set<string>()
    const turns = (function* () {
      for (;;) yield* single
    })()
    for (const e of calls) {
      const keys = guardedBy(e)
      const holder = together.get(String(keys))
      const admitted = holder ? await verdict(holder, e) : 'nobody'
      if (admitted !== 'open') wrong.push(`${callOf(e)} with ${keys}: ${admitted}`)
      // different single permissions for each rule: the test below makes every call with all permissions but its own
      const rule = JSON.stringify([e.access, e.forTokens, looks(e)])
      if (asked.has(rule)) continue
      asked.add(rule)
      for (let at = 0; at < alone; at++) {
        const {
          value: [key, caller],
        } = turns.next()
        if (String(keys) === key) continue
        const said = await verdict(caller, e)
        if (!refused.test(said)) wrong.push(`${callOf(e)} with ${key}: ${said}`)
      }
    }
    expect(calls.length).toBeGreaterThan(20)
    // every permission was tried
    expect(asked.size * alone).toBeGreaterThan(single.size)
    expect(wrong).toEqual([])
  })

  test('is refused with all other permissions', { timeout: 60_000 }, async () => {
    const wrong: string[] = []
    for (const e of calls) {
      for (const key of guardedBy(e)) {
        const caller = others.get(key)
        const said = caller ? await verdict(caller, e) : 'no such permission'
        if (!refused.test(said)) wrong.push(`${callOf(e)} without ${key}: ${said}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

const forSystem = (e: Endpoint) => typeof e.access === 'object' && 'system' in e.access

describe.for(named(forSystem))('%s', ([, e]) => {
  test('is allowed for administrators and a system role with its permission, and for nobody else', async () => {
    const [key = ''] = guardedBy(e)
    expect(await verdict(await callerOf(app.admin), e)).toBe('open')
    expect(await verdict(await holder([key]), e)).toBe('open')
    expect(await verdict(await holder(permissions.filter((other) => other !== key)), e)).toMatch(
      /^permission-missing-system/,
    )
    expect(await verdict(await callerOf(ours.leader), e)).toMatch(/^permission-missing-system/)
    // a team's role with this permission grants nothing for the system
    expect(await verdict(await member([key]), e)).toMatch(/^permission-missing-system/)
    expect(await verdict(await tokenCaller([key]), e)).toBe('token-not-here')
  })
})

/**
 * Effects of calls, by the permission that they require: nobody gets an effect by another call without it. A call that
 * does more requires more. Deploy steps require the same as a person's calls, which their own tests show.
 */
const effects: Record<string, [effect: string, ...ways: Endpoint[]][]> = {
  stack_service_edit: [
    [
      'another image, command or variable runs',
      services.update,
      services.upgrade,
      releases.upgrade,
      promotions.promote,
      drift.keep,
    ],
  ],
  stack_service_operate: [
    ['the number of pods changes, and nothing else', services.scale, services.start, services.resume],
    ['all pods of a service restart', services.restart],
    ['one of the two specifications of an upgrade is kept', services.confirm, services.cancel, services.rollBack],
    ['changes by others are reverted', drift.putBack],
    ['one of the two specifications of a release is kept', releases.confirm, releases.cancel, releases.rollBack],
  ],
  stack_container_operate: [['one pod restarts', containers.start, containers.restart]],
  stack_container_delete: [['a pod is deleted', containers.remove]],
  stack_kubeconfig_execute: [['a file with which secrets are read', stacks.kubeconfig]],
  stack_container_execute: [['a command runs in a container', containers.execute, containers.debug]],
  stack_file_view: [['a file is read', containerFiles.list, containerFiles.read, containerFiles.download]],
  stack_file_edit: [['a file is written', containerFiles.write, containerFiles.upload]],
  stack_service_create: [
    [
      'a service is created',
      services.create,
      sample.create,
      releases.deploy,
      releases.upgrade,
      promotions.promote,
      imports.create,
    ],
  ],
  stack_service_delete: [
    ['a workload is deleted', services.remove, stacks.remove, sample.remove, releases.confirm, releases.rollBack],
  ],
  stack_service_view: [
    ['a specification is read', services.get, services.list, services.brief, stacks.yaml, promotions.settings],
  ],
  stack_stack_create: [['a stack is created', stacks.create, sample.create, releases.deploy, promotions.promote]],
  stack_stack_delete: [['a stack is deleted', stacks.remove, sample.remove]],
  stack_container_view: [['output is read', containers.log, containers.logFile, containers.paths, serviceLogs.search]],
  pipeline_build_execute: [
    ['a build runs', builds.trigger, builds.triggerWithParameters, builds.retry, sample.create, sample.change],
    ['a build ends', builds.stop, builds.cancel, sample.remove],
  ],
  pipeline_build_delete: [['a build is deleted', builds.remove, builds.removeMany, pipelines.remove, sample.remove]],
  pipeline_pipeline_delete: [['a pipeline is deleted', pipelines.remove, sample.remove]],
  pipeline_group_create: [['a group is created', groups.create, sample.create]],
  pipeline_group_delete: [['a group is deleted', groups.remove, sample.remove]],
  product_product_create: [['a product is created', products.create, products.clone, sample.create]],
  product_product_delete: [['a product is deleted', products.remove, sample.remove]],
  resource_host_operate: [['pods are kept from a host', hosts.cordon, hosts.maintenance, hosts.setTaints]],
}

describe('calls with equal effects require equal permissions', () => {
  const rows = Object.entries(effects).flatMap(([key, list]) =>
    list.map(([effect, ...ways]) => [effect, key, ways] as const),
  )

  test.for(rows)('%s only with %s, by every call', async ([, key, ways]) => {
    const without = await member(permissions.filter((other) => other !== key))
    for (const way of ways)
      expect([callOf(way), await verdict(without, way)]).toEqual([
        callOf(way),
        expect.stringMatching(/^permission-missing/),
      ])
  })

  test('the table has every action of a shared path', () => {
    const ways = new Set(rows.flatMap(([, , list]) => list))
    expect(endpoints.filter((e) => e.action !== undefined && e.access !== 'admin' && !ways.has(e)).map(callOf)).toEqual(
      [],
    )
  })

  test('an operator of every team’s services cannot deploy another image', async () => {
    const operator = await app.user()
    const role = await app.db
      .selectFrom('system_role')
      .select('id')
      .where('name', '=', 'platform-operator')
      .executeTakeFirstOrThrow()
    await app.db.insertInto('account_system_role').values({ account_id: operator.id, role_id: role.id }).execute()
    expect(await ask(operator, services.scale)).not.toMatch(/^permission-missing/)
    for (const way of [services.upgrade, services.update])
      expect(await ask(operator, way)).toMatch(/^permission-missing/)
  })
})

const ask = async (caller: TestCaller, e: Endpoint, headers: Record<string, string> = {}) =>
  (await caller.request(e, { params: fittingParams(e, ours.id) }, headers)).json<{ message: string }>().message

const forPeople = (e: Endpoint) => e.access !== 'public' && e.access !== 'agent'

describe('a view as a role', () => {
  let looking: TestCaller
  beforeAll(async () => {
    looking = await viewer(permissions)
  })

  test.for(named((e) => forPeople(e) && !looks(e) && !e.whileViewing))('cannot change anything: %s', async ([, e]) => {
    expect(await ask(looking, e)).toBe('view-as-read-only')
  })

  test('allows three other calls: switch the role, log out, open the push channel', () => {
    expect(
      endpoints
        .filter((e) => e.whileViewing)
        .map(callOf)
        .toSorted(),
    ).toEqual(['POST /api/tickets', 'POST /api/users/logout', 'PUT /api/teams/:teamId/view-as'])
  })

  test.for(named((e) => e.access === 'admin' && looks(e)))('has no administrator’s right: %s', async ([, e]) => {
    expect(await ask(looking, e)).toBe('admin-only')
  })
})

describe('an API token', () => {
  const closed = (e: Endpoint) =>
    forPeople(e) && (e.forTokens === false || (!e.forTokens && (typeof e.access === 'string' || forSystem(e))))

  test.for(named(closed))('cannot call what is for people: %s', async ([, e]) => {
    const authorization = `Bearer ${await tokenOf(app.admin, permissions)}`
    expect(await ask(app.anonymous, e, { authorization })).toBe('token-not-here')
  })

  test('is accepted by calls without a team only if listed here', () => {
    expect(
      endpoints
        .filter((e) => e.forTokens === true)
        .map(callOf)
        .toSorted(),
    ).toEqual([
      'GET /api/permissions',
      'GET /api/role-templates',
      // used by its own form while a schedule is typed
      'GET /api/search',
      'GET /api/teams',
      'GET /api/tenants/brief',
      'GET /api/v2/pipelines/batch/report/buildAbilitys',
      'GET /ingress/v1/api/ingress/global_detail_route_rules',
      'GET /ingress/v1/api/ingress/global_route_rules',
      'GET /ingress/v1/api/wisecloud_ingress_ports',
      'GET /resource-manager/api/hosts/environments',
      'POST /api/tickets',
    ])
  })

  test.for(named((e) => typeof e.access === 'object' && 'team' in e.access && e.forTokens !== false))(
    'of another team gets 401: %s',
    async ([, e]) => {
      const theirs = await app.team()
      const authorization = `Bearer ${await tokenOf(theirs.leader, permissions, theirs.id)}`
      expect(await ask(app.anonymous, e, { authorization })).toBe('token-other-team')
    },
  )
})

/** A new call without a permission must be listed here. docs/decisions/0043 says what such a call may do. */
test('calls without a permission are listed', () => {
  const free = (e: Endpoint) =>
    requiredPermissions(e).length === 0 &&
    (e.access === 'user' || (typeof e.access === 'object' && !('system' in e.access)))
  expect(endpoints.filter(free).map(callOf).toSorted()).toEqual(
    [
      // one's own account and sessions; services refuse those of others
      'GET /api/users/:id',
      'PUT /api/users/:id',
      'GET /api/users/:id/avatar',
      'POST /api/users/:id/avatar',
      'DELETE /api/users/:id/avatar',
      'GET /api/sessions',
      'DELETE /api/sessions',
      'DELETE /api/sessions/:family',
      'POST /api/users/logout',
      'POST /api/tickets',
      // one's own notifications about objects that one may still see
      'GET /api/notifications',
      'POST /api/notifications',
      'PUT /api/notifications/read',
      // decisions that one may make oneself, and whether they are mailed
      'GET /api/decisions',
      'GET /api/decisions/mail',
      'PUT /api/decisions/mail',
      // what is new in a version, and whether one has read it
      'GET /api/upgradeLog/updateUpIsSuccessful',
      'PUT /api/upgradeLog/updateUpIsSuccessful',
      // the license's state on every page
      'GET /api/system/license/status',
      // general lists for everybody
      'GET /api/permissions',
      'GET /api/pipeline-schedules/slots',
      'GET /api/role-templates',
      'GET /orchestration/api/blueprints/toasca_version',
      // for holders of the link; its creator has granted what it gives
      'POST /api/join-links/join',
      // names and figures of one's own teams: members, their roles, and what the teams may use
      'GET /api/teams',
      'GET /api/tenants/brief',
      'GET /api/teams/:id',
      'GET /api/teams/:id/users',
      'GET /api/tenants/:teamId/roles',
      'GET /api/teams/:teamId/permissions/:name/givers',
      'GET /resource-manager/api/quotas/tenants/:teamId',
      'GET /resource-manager/api/quotas/tenants/:teamId/environments/:envId',
      'GET /api/tenants/:teamId/sample',
      // images for jobs: the platform's, and those of one's own teams
      'GET /api/build-images',
      'GET /api/build-images/catalogs',
      // the tags of preset services
      'GET /catalog/api/tags',
      // zones of a cluster that one's team may use, as specified
      'GET /resource-manager/api/zones/environments/:env',
      'GET /resource-manager/api/zones/environments/:env/:uuid',
      'GET /resource-manager/api/zones/environments/:env/check',
      // the service allows only leaders
      'PUT /api/teams/:teamId/view-as',
      // each source checks the permission for its kind
      'GET /api/search',
      // used by its own form while a schedule is typed
    ].toSorted(),
  )
})
