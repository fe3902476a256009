import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { DeployStep } from '@gantry/contract/pipelines/definition'
import { revisions } from '@gantry/contract/stacks/revisions/revisions'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFull } from '../../../../test/full.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { Refused, refusalOf, testApp } from '../../../../test/test-app.ts'
import { jsonb } from '../../../db/json.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { insertRegistry } from '../../images/registries.store.ts'
import { deployImage } from './deploy.service.ts'
import { scalingReconciler } from '../scaling/scaling.service.ts'
import { lockStack } from '../stacks/stacks.store.ts'

const sandbox = await startSandbox()
const kube = openKube({ admit: admitLocal })
const app = await testApp({ ports: { kube } })
const beside = await testApp({ ports: { kube }, beside: app })
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})

let team: Awaited<ReturnType<typeof app.team>>
let stack: { id: number; uuid: string; envId: string }
let registryId: number

beforeAll(async () => {
  team = await app.team()
  const { uuid } = await app.admin.call(clusters.create, {
    body: { name: 'sandbox', kubeconfig: readFileSync(sandbox.kubeconfig, 'utf8'), teamIds: [team.id] },
  })
  stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name: 'shop', envId: uuid } })
  const registry = { teamId: team.id, name: 'images', url: 'https://registry.example.test', username: '' }
  registryId = (await insertRegistry(app.db, { ...registry, password: null, sandbox: false })) ?? 0
})

const spec: ServiceSpecInput = { image: 'registry.example.test/web:1', replicas: 2 }

let made = 0
async function newService(more: ServiceSpecInput = {}) {
  const params = { teamId: team.id, stackId: stack.id, serviceName: `web-${++made}` }
  const { id, name } = await team.leader.call(services.create, { params, body: { ...spec, ...more } })
  await markAs(id, 'stable')
  return { id, name }
}

/** As if the cluster had reported this; no cluster is used here. */
const markAs = (id: number, state: 'stable' | 'failed') =>
  app.db.updateTable('service').set({ state }).where('id', '=', id).execute()

const of = (id: number) => ({ params: { teamId: team.id, envId: stack.envId, id } })
const get = (id: number) => team.leader.call(services.get, of(id))

interface Deployed {
  name: string
  tag: string
  key: string
}
const deploy = ({ name, tag, key }: Deployed, by = app) =>
  deployImage(by.ctx(team.leader), {
    teamId: team.id,
    step: DeployStep.parse({ type: 'deploy', name: 'deploy', stackUuid: stack.uuid, service: name, create: {} }),
    image: `registry.example.test/web:${tag}`,
    digest: '',
    registryId,
    key,
    attempt: 1,
    by: 'a build',
  })

describe('an upgrade that is based on an earlier revision', () => {
  test('is refused, and names the author and the changes since', async () => {
    const { id, name } = await newService()
    const { revision } = await get(id)
    await team.leader.call(services.scale, { ...of(id), query: { replicas: 5 } })
    await markAs(id, 'stable')
    const refusal = await refusalOf(
      team.leader.call(services.upgrade, {
        ...of(id),
        query: { revision },
        body: { ...spec, image: 'registry.example.test/web:2' },
      }),
    )
    expect(refusal).toMatchObject({ status: 409, key: 'stacks-changed-since' })
    for (const word of [name, 'revision 2', 'based on revision 1', team.leader.name, 'replicas'])
      expect(refusal.message).toContain(word)
    expect(await get(id)).toMatchObject({ revision: 2, replicas: 5, state: 'stable' })
  })

  test('is accepted if the service is back in the same state', async () => {
    const { id } = await newService()
    const { revision } = await get(id)
    for (const replicas of [5, 2]) {
      await team.leader.call(services.scale, { ...of(id), query: { replicas } })
      await markAs(id, 'stable')
    }
    const query = { revision }
    await team.leader.call(services.upgrade, {
      ...of(id),
      query,
      body: { ...spec, image: 'registry.example.test/web:2' },
    })
    expect(await get(id)).toMatchObject({ revision: 4, state: 'upgrading' })
  })
})

test('scaling on an earlier revision is refused', async () => {
  const { id } = await newService()
  await deploy({ name: `web-${made}`, tag: '2', key: 'an upgrade' })
  await markAs(id, 'stable')
  const query = { replicas: 3, revision: 1 }
  await expect(team.leader.call(services.scale, { ...of(id), query })).rejects.toMatchObject({
    status: 409,
    key: 'stacks-changed-since',
  })
})

test('a deploy step puts its image into the service’s present specification, not into the one it first read', async () => {
  const { id, name } = await newService()
  const locked = Promise.withResolvers<void>()
  const looked = Promise.withResolvers<void>()
  const colleague = app.db.transaction().execute(async (db) => {
    await lockStack(db, stack.id)
    locked.resolve()
    await looked.promise
    const { spec } = await db.selectFrom('service').select('spec').where('id', '=', id).executeTakeFirstOrThrow()
    await db
      .updateTable('service')
      .set({ spec: jsonb({ ...(spec as object), replicas: 7 }) })
      .where('id', '=', id)
      .execute()
  })
  await locked.promise
  const step = deploy({ name, tag: '2', key: 'beside a scale' })
  await waiting()
  looked.resolve()
  await Promise.all([colleague, step])
  expect((await get(id)).spec).toMatchObject({ image: 'registry.example.test/web:2', replicas: 7 })
})

/** Resolves once somebody waits for a lock. */
const waiting = () =>
  eventually(
    () =>
      app.database.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    ({ rows }) => rows.length > 0,
  )

test('a deploy step that is called on two servers at once deploys once', async () => {
  const name = `web-${++made}`
  await Promise.all([app, beside, app, beside].map((by) => deploy({ name, tag: '3', key: 'asked twice' }, by)))
  const { id } = await app.db.selectFrom('service').select('id').where('name', '=', name).executeTakeFirstOrThrow()
  await markAs(id, 'stable')
  await Promise.all([app, beside, app, beside].map((by) => deploy({ name, tag: '4', key: 'and again' }, by)))
  expect((await get(id)).revisions.map(({ action }) => action)).toEqual(['upgrade', 'create'])
})

test('many upgrades, scalings and deploy steps of one service from two servers lose none', async () => {
  const { id, name } = await newService()
  const lead = [team.leader, beside.caller(team.leader, team.leader.token)] as const
  const on = (n: number) => (n % 2 === 0 ? app : beside)
  // a thousand changes in the full run
  const [variables, scalings, deployments] = isFull ? [100, 350, 550] : [10, 35, 55]
  const accepted = { upgrades: 0, scalings: 0, deployments: 0 }
  const isRefused = (error: unknown) => {
    if (error instanceof Refused && error.status === 409) return
    throw error
  }

  /** Adds a variable, retrying until no concurrent change comes first. */
  async function addVariable(n: number): Promise<void> {
    for (;;) {
      const leader = lead[n % 2] ?? team.leader
      const { spec, revision } = await leader.call(services.get, of(id))
      const environment = [...spec.environment, { name: `N${n}`, value: 'there', secret: false }]
      const sent = leader.call(services.upgrade, { ...of(id), query: { revision }, body: { ...spec, environment } })
      if (await sent.then(() => true, isRefused)) break
    }
    accepted.upgrades += 1
  }
  async function scale(n: number): Promise<void> {
    await markAs(id, 'failed')
    const leader = lead[n % 2] ?? team.leader
    const query = { replicas: 1 + (n % 9) }
    if (await leader.call(services.scale, { ...of(id), query }).then(() => true, isRefused)) accepted.scalings += 1
  }
  async function deployOne(n: number): Promise<void> {
    await deploy({ name, tag: `step-${n}`, key: `deploy ${n}` }, on(n))
    accepted.deployments += 1
  }
  /** Runs so many at a time, half of them on each server. */
  const each = (count: number, lanes: number, work: (n: number) => Promise<void>) =>
    Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        for (let n = lane; n < count; n += lanes) await work(n)
      }),
    )
  await markAs(id, 'failed')
  // most upgrades conflict while the others run, and two at a time keep the conflicts few
  await Promise.all([each(variables, 2, addVariable), each(scalings, 8, scale), each(deployments, 8, deployOne)])

  const { rows } = await app.database.pool.query<{ revision: number; action: string; spec: { image: string } }>(
    'select revision, action, spec from service_revision where service_id = $1 order by revision',
    [id],
  )
  const counted = Map.groupBy(rows.slice(1), ({ action, spec }, n) =>
    action === 'scale' ? 'scalings' : spec.image === rows[n]?.spec.image ? 'upgrades' : 'deployments',
  )
  expect(Object.fromEntries(Array.from(counted, ([kind, list]) => [kind, list.length]))).toEqual(accepted)
  expect(rows.map(({ revision }) => revision)).toEqual(rows.map((_, at) => at + 1))
  const images = Array.from({ length: deployments }, (_, n) => `registry.example.test/web:step-${n}`)
  expect(rows.map(({ spec }) => spec.image)).toEqual(expect.arrayContaining(images))
  const { spec } = await get(id)
  const added = Array.from({ length: variables }, (_, n) => `N${n}`)
  expect(spec.environment.map((variable) => variable.name).sort()).toEqual(added.sort())
  expect(images).toContain(spec.image)
  expect(spec.image).toBe(rows.at(-1)?.spec.image)
}, 120_000)

describe('decisions of several people and of autoscaling about one service, on two servers at once', () => {
  const kindsOfDecision = ['confirm', 'cancel', 'rollBack', 'scale'] as const
  /** Who may win in each state; a service that was confirmed is stable, and may then be scaled. */
  const outcomes = {
    upgraded: ['confirm', 'confirm, scale', 'rollBack'],
    upgrading: ['cancel'],
    failed: ['cancel', 'scale'],
    stable: ['scale'],
  }
  const starts = ['upgraded', 'upgrading', 'failed', 'stable'] as const
  const becomes = { confirm: 'stable', cancel: 'cancelling', rollBack: 'rolling-back', scale: 'deploying' } as const
  // a thousand decisions in the full run
  const rounds = isFull ? 100 : 12
  const byTime = { min: 1, max: 9, interval: 5, periods: [{ from: '00:00', to: '23:59', instances: 4 }] }

  const stored = (id: number) =>
    app.db
      .selectFrom('service')
      .select(['state', 'generation', 'revision', 'instances'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  /** A service in this state that has applied everything; unless it is stable, an upgrade is in progress. */
  async function serviceIn(state: (typeof starts)[number]) {
    const { id } = await newService({ autoscaling: byTime })
    if (state !== 'stable')
      await team.leader.call(services.upgrade, {
        ...of(id),
        body: { ...spec, autoscaling: byTime, image: 'registry.example.test/web:2' },
      })
    await app.db
      .updateTable('service')
      .set({ state, applied: sql`generation`, scale_until: null })
      .where('id', '=', id)
      .execute()
    return id
  }

  const decide = (who: Pick<typeof team.leader, 'call'>, id: number, kind: (typeof kindsOfDecision)[number]) => {
    const made =
      kind === 'scale'
        ? who.call(services.scale, { ...of(id), query: { replicas: 7 } })
        : who.call(services[kind], of(id))
    return made.then(
      () => [kind],
      (error: unknown) => {
        if (error instanceof Refused && error.status === 409) return []
        throw error
      },
    )
  }

  test('one wins each time, the others are refused, and the service is what the winner wanted', async () => {
    await app.db.updateTable('stack').set({ state: 'running' }).where('id', '=', stack.id).execute()
    const lead = [team.leader, beside.caller(team.leader, team.leader.token)] as const
    const autoscale = async (on: typeof app, id: number) => {
      const begun = await scalingReconciler.begin(on.ctx())
      await Promise.all(begun.map(({ ended }) => ended))
      return begun.filter(({ item }) => item.id === id).length
    }
    for (let n = 0; n < rounds; n++) {
      const start = starts[n % starts.length] ?? 'stable'
      const id = await serviceIn(start)
      const before = await stored(id)
      const scaled = Promise.all([app, beside].map((on) => autoscale(on, id)))
      const decided = kindsOfDecision.flatMap((kind) => lead.map((who) => decide(who, id, kind)))
      const won = (await Promise.all(decided)).flat()
      expect(outcomes[start]).toContain(won.join(', '))
      // what changes the service lets autoscaling look again
      expect((await scaled).reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1 + won.length)

      const after = await stored(id)
      const { spec: now, replicas, revisions: all } = await get(id)
      const last = won.at(-1) ?? 'scale'
      expect(after).toMatchObject({ generation: before.generation + won.length, state: becomes[last] })
      expect(after.revision).toBe(before.revision + won.filter((kind) => kind !== 'confirm').length)
      expect(all.map(({ revision }) => revision)).toEqual(all.map((_, at) => after.revision - at))
      const isReturned = last === 'cancel' || last === 'rollBack' || start === 'stable'
      expect(now.image).toBe(`registry.example.test/web:${isReturned ? 1 : 2}`)
      // a person's number stays, whatever autoscaling decides at the same moment
      if (last === 'scale') expect([replicas, now.autoscaling?.paused]).toEqual([7, true])
      else expect([null, 4]).toContain(after.instances)
    }
  }, 600_000)
})

test('a revision shows its changes, and any of them can be read again', async () => {
  const { id } = await newService()
  await team.leader.call(services.scale, { ...of(id), query: { replicas: 5 } })
  await markAs(id, 'stable')
  await deploy({ name: `web-${made}`, tag: '2', key: 'no build’s key' })
  expect((await get(id)).revisions.map(({ revision, changes, build }) => ({ revision, changes, build }))).toEqual([
    { revision: 3, changes: ['image', 'registryId'], build: null },
    { revision: 2, changes: ['replicas'], build: null },
    { revision: 1, changes: null, build: null },
  ])
  const { params } = of(id)
  const read = (revision: number) => team.leader.call(revisions.get, { params: { ...params, revision } })
  expect([await read(1), await read(2)]).toMatchObject([{ replicas: 2 }, { replicas: 5 }])
  expect(await refusalOf(read(9))).toMatchObject({ status: 404 })
})
