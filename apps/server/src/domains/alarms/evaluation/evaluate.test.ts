import { alarmChannels } from '@gantry/contract/alarms/channels'
import { alarmRules, type AlarmRuleInput } from '@gantry/contract/alarms/rules'
import { notifications } from '@gantry/contract/notifications/notifications'
import { teams } from '@gantry/contract/teams/teams'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import type { z } from 'zod'
import { afterAll, expect, test } from 'vitest'
import { admitLocal } from '../../../../test/kube-api.ts'
import { testApp } from '../../../../test/test-app.ts'
import { podObject, watchedCluster } from '../../../../test/watched-cluster.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { jsonb } from '../../../db/json.ts'
import { keepPartitions } from '../../monitoring/samples/partitions.store.ts'
import { noteTried, writeSamples } from '../../monitoring/samples/samples.store.ts'
import { evaluateAll } from './evaluate.service.ts'

const minute = 60_000
const kube = openKube({ admit: admitLocal })
afterAll(() => kube.close())
const app = await testApp({ ports: { kube } })
const other = await testApp({ beside: app, ports: { kube } })
const start = Math.floor(Date.now() / minute) * minute
await keepPartitions(app.db, start)

type Input = Partial<z.input<typeof AlarmRuleInput>>
let made = 0

/** A team that watches a service of two instances and is notified in the bell. */
async function scene(input: Input = {}) {
  const team = await app.team()
  const cluster = await watchedCluster(app, [team], {})
  const namespace = `ns-${++made}`
  const stack = await cluster.stack(team, namespace)
  const spec = { image: 'web:1', replicas: 2, resources: { cpu: '1', memory: '100Mi' } }
  await app.db
    .updateTable('service')
    .set({ spec: jsonb(spec) })
    .where('id', '=', stack.service)
    .execute()
  const own = { namespace, labels: { [labels.service]: String(stack.service), [labels.revision]: '1' } }
  const pod = (name: string, status: { ready?: boolean; restarts?: number } = {}) => {
    const made = podObject(name, { ...own, ...status })
    const conditions = [{ type: 'Ready', status: status.ready === false ? 'False' : 'True' }]
    cluster.api.put('pods', { ...made, status: { ...made.status, conditions } })
  }
  pod('web-0')
  pod('web-1')
  const channel = await team.leader.call(alarmChannels.save, {
    params: { team_id: team.id },
    body: { name: 'bell', kind: 'push', members: true },
  })
  const rule = await team.leader.call(alarmRules.create, {
    params: { team_id: team.id },
    body: {
      name: 'ready',
      rules: [{ metric: 'unavailable', operator: '>', threshold: 0, for: 0, severity: 'critical' }],
      maps: [{ resource: 'stack', id: stack.id }],
      channels: [channel.id],
      ...input,
    },
  })
  const of = { params: { alert_id: rule.id } }
  let round = 0
  return {
    team,
    cluster,
    stack,
    namespace,
    rule,
    channel,
    pod,
    of,
    read: () => team.leader.call(alarmRules.get, of),
    bell: async () => (await team.leader.call(notifications.list, {})).items.map(({ text }) => text).toReversed(),
    history: async () =>
      (await team.leader.call(alarmRules.history, { params: { team_id: team.id } })).items
        .map(({ kind }) => kind)
        .toReversed(),
    /** Evaluates `count` minutes, each on two servers at once. */
    rounds: async (count = 1) => {
      for (let at = 0; at < count; at++) {
        const now = start + ++round * minute
        await Promise.all([evaluateAll(app.ctx(), now), evaluateAll(other.ctx(), now)])
      }
    },
    later: (minutes: number) => {
      round += minutes
    },
    /** Waits until the servers see what the cluster reported. */
    seen: (isThere: (value: number | null | undefined) => boolean) =>
      eventually(async () => {
        const now = start + ++round * minute
        await Promise.all([evaluateAll(app.ctx(), now), evaluateAll(other.ctx(), now)])
        const { states } = await team.leader.call(alarmRules.get, of)
        expect(isThere(states[0]?.value)).toBe(true)
      }),
  }
}

test('an instance that is not ready fires once and resolves once, however many servers evaluate', async () => {
  const s = await scene()
  await s.rounds()
  expect(await s.read()).toMatchObject({ state: 'ok', firing: 0, states: [{ value: 0, serviceName: 'web' }] })
  s.pod('web-1', { ready: false })
  await s.seen((value) => value === 1)
  expect(await s.read()).toMatchObject({
    state: 'firing',
    firing: 1,
    states: [{ metric: 'unavailable', severity: 'critical', value: 1 }],
  })
  expect(await s.bell()).toEqual([
    expect.stringMatching(/^Critical: web in ns-\d+, 1 instance is not ready \(threshold > 0\)\. Rule ready/),
  ])
  await s.rounds(3)
  expect(await s.bell()).toHaveLength(1)
  s.pod('web-1')
  await s.seen((value) => value === 0)
  await s.rounds(2)
  expect((await s.bell())[1]).toMatch(/^Resolved: web in/)
  expect(await s.bell()).toHaveLength(2)
  expect(await s.history()).toEqual(['fired', 'resolved'])
  const [fired] = (
    await s.team.leader.call(alarmRules.serviceHistory, {
      params: { t: s.team.id, e: s.cluster.uuid, s: s.stack.id, svc: s.stack.service },
    })
  ).items.toReversed()
  expect(fired).toMatchObject({ kind: 'fired', value: 1, told: ['bell'], ruleName: 'ready' })
})

test('CPU and memory come from the figures of the charts, in percent of the limit, for the busiest instance', async () => {
  const s = await scene({
    rules: [
      { metric: 'cpu_percent', operator: '>', threshold: 80, for: 0 },
      { metric: 'memory_percent', operator: '>=', threshold: 99, for: 0 },
    ],
  })
  const none = { host: '', namespace: s.namespace, container: 'web', most: null }
  await writeSamples(app.db, s.cluster.uuid, start, [
    { ...none, expression: 'container_cpu_usage', pod: 'web-0', value: 0.2 },
    { ...none, expression: 'container_cpu_usage', pod: 'web-1', value: 0.93 },
    { ...none, expression: 'container_cpu_usage', pod: 'web-other-0', value: 9 },
    { ...none, expression: 'container_memory_usage', pod: 'web-0', value: 50 * 2 ** 20 },
  ])
  await noteTried(app.db, s.cluster.uuid, start, { reason: null, podsReason: null, leftOut: 0 })
  await s.rounds()
  const { states } = await s.read()
  expect(states.find(({ metric }) => metric === 'cpu_percent')).toMatchObject({ state: 'firing' })
  expect(states.map(({ metric, value }) => [metric, Math.round(value ?? 0)]).toSorted()).toEqual([
    ['cpu_percent', 93],
    ['memory_percent', 50],
  ])
  expect(await s.bell()).toEqual([
    expect.stringContaining('CPU of an instance at 93 % of its limit (threshold > 80 %)'),
  ])
})

test('stopping a service resolves its alarms, and it is not watched until it runs again', async () => {
  const s = await scene()
  s.pod('web-1', { ready: false })
  await s.seen((value) => value === 1)
  await app.db.updateTable('service').set({ state: 'stopped' }).where('id', '=', s.stack.service).execute()
  await s.rounds(2)
  expect(await s.bell()).toEqual([expect.stringMatching(/^Critical/), expect.stringMatching(/^Resolved/)])
  await s.rounds()
  expect(await s.read()).toMatchObject({ state: 'idle', states: [] })
  await app.db.updateTable('service').set({ state: 'stable' }).where('id', '=', s.stack.service).execute()
  await s.rounds()
  expect(await s.read()).toMatchObject({ state: 'firing' })
})

test('restarts count from the moment they are watched', async () => {
  const s = await scene({ rules: [{ metric: 'restarts', operator: '>=', threshold: 2, for: 0 }] })
  s.pod('web-0', { restarts: 7 })
  await s.rounds(1)
  s.pod('web-0', { restarts: 10 })
  await s.seen((value) => (value ?? 0) >= 3)
  expect(await s.bell()).toEqual([expect.stringMatching(/^Warning: web in .* restarts within 15 minutes/)])
})

test('a cluster that does not answer is reported once, however much is watched there, and once when it answers again', async () => {
  const s = await scene()
  const more = await s.cluster.stack(s.team, `more-${made}`)
  const spec = { image: 'web:1', replicas: 0, resources: { cpu: '1', memory: '100Mi' } }
  await app.db
    .updateTable('service')
    .set({ spec: jsonb(spec) })
    .where('id', '=', more.service)
    .execute()
  await s.team.leader.call(alarmRules.bind, {
    ...s.of,
    body: { maps: [s.stack, more].map(({ id }) => ({ resource: 'stack' as const, id })) },
  })
  await s.rounds()
  expect((await s.read()).states).toHaveLength(2)
  // the changed address makes it another cluster to the server, one that does not exist
  const { address } = await app.db
    .selectFrom('environment')
    .select('address')
    .where('uuid', '=', s.cluster.uuid)
    .executeTakeFirstOrThrow()
  await app.db
    .updateTable('environment')
    .set({ address: 'no secret of ours' })
    .where('uuid', '=', s.cluster.uuid)
    .execute()
  await s.rounds(6)
  expect(await s.read()).toMatchObject({ state: 'no-data' })
  expect(await s.bell()).toEqual([expect.stringContaining('is not responding')])
  await app.db.updateTable('environment').set({ address }).where('uuid', '=', s.cluster.uuid).execute()
  await eventually(async () => {
    await s.rounds()
    expect((await s.read()).state).toBe('ok')
  })
  expect(await s.bell()).toEqual([
    expect.stringContaining('not responding'),
    expect.stringContaining('responding again'),
  ])
  expect(await s.history()).toEqual(['no-data', 'no-data', 'back', 'back'])
})

test('a silenced rule notifies nobody until the silence ends, and an acknowledged alarm sends no reminder', async () => {
  const s = await scene({ repeatHours: 1 })
  await s.team.leader.call(alarmRules.silence, { ...s.of, body: { minutes: 60 } })
  s.pod('web-1', { ready: false })
  await s.seen((value) => value === 1)
  expect(await s.read()).toMatchObject({ state: 'firing', silencedBy: s.team.leader.name })
  expect(await s.bell()).toEqual([])
  await s.team.leader.call(alarmRules.silence, { ...s.of, body: { minutes: 0 } })
  await s.rounds()
  expect(await s.bell()).toHaveLength(1)
  s.later(60)
  await s.rounds()
  expect((await s.bell())[1]).toMatch(/^Still critical/)
  const known = await s.team.leader.call(alarmRules.acknowledge, s.of)
  expect(known.states).toMatchObject([{ acknowledgedBy: s.team.leader.name }])
  s.later(60)
  await s.rounds()
  expect(await s.bell()).toHaveLength(2)
  expect(await s.history()).toEqual(['fired', 'acknowledged'])
  await expect(s.team.leader.call(alarmRules.acknowledge, s.of)).rejects.toMatchObject({ key: 'alarms-nothing-fires' })
})

test('a new threshold starts afresh, a disabled rule evaluates nothing, and deleted objects leave nothing', async () => {
  const s = await scene()
  s.pod('web-1', { ready: false })
  await s.seen((value) => value === 1)
  const { name, maps, channels } = s.rule
  const body = {
    id: s.rule.id,
    name,
    rules: [{ metric: 'unavailable' as const, threshold: 1, for: 0 }],
    maps: maps.map(({ resource, id }) => ({ resource, id })),
    channels: channels.map(({ id }) => id),
  }
  await s.team.leader.call(alarmRules.update, { body })
  await s.rounds()
  expect(await s.read()).toMatchObject({ state: 'ok', states: [{ condition: 'unavailable > 1 warning' }] })
  await s.team.leader.call(alarmRules.update, { body: { ...body, enabled: false } })
  await s.rounds()
  expect(await s.read()).toMatchObject({ state: 'off', states: [] })
  await s.team.leader.call(alarmRules.update, { body })
  await s.rounds()
  await app.db.deleteFrom('stack').where('id', '=', s.stack.id).execute()
  await s.rounds()
  expect(await s.read()).toMatchObject({ state: 'idle', maps: [], states: [] })
  await app.admin.call(teams.remove, { params: { id: s.team.id }, query: { confirm: s.team.name } })
  for (const table of ['alarm_rule', 'alarm_channel', 'alarm_event', 'alarm_blind'] as const)
    expect(await app.db.selectFrom(table).selectAll().where('team_id', '=', s.team.id).execute()).toEqual([])
  const { rows } = await sql`select from alarm_state left join alarm_rule on id = rule_id where id is null`.execute(
    app.db,
  )
  expect(rows).toEqual([])
})
