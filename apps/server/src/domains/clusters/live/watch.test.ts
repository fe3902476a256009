import { clusters } from '@gantry/contract/clusters/clusters'
import { pushPath } from '@gantry/contract/push/path'
import { podsTopic } from '@gantry/contract/clusters/pods'
import {
  eventsTopic,
  hostEventsTopic,
  hostsTopic,
  namespacesInUseTopic,
  type ClusterScope,
  volumesTopic,
} from '@gantry/contract/clusters/topics'
import { serviceEventsTopic, serviceTopic, stackTopic } from '@gantry/contract/stacks/topics'
import { services } from '@gantry/contract/stacks/services'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, describe, expect, test } from 'vitest'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { publish } from '../../../kernel/events/events.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { publishAs } from '../../../../test/publish-as.ts'
import { type Heard, socketClient } from '../../../../test/socket-client.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { podObject as pod, watchedCluster } from '../../../../test/watched-cluster.ts'

/** What an open page receives of a cluster over the websocket. */

const kube = openKube({ admit: admitLocal, timing: { rest: 0.05 } })
const app = await testApp({ ports: { kube } })
const client = await socketClient(app)
const mine = await app.team()
const theirs = await app.team()
const viewer = await mine.member(['resource_pod_view', 'resource_event_view', 'resource_storage_view'])

const open: (() => Promise<unknown>)[] = []
afterAll(async () => {
  await kube.close()
  for (const close of open) await close()
})

async function cluster(kinds: Parameters<typeof watchedCluster>[2] = {}) {
  const made = await watchedCluster(app, [mine, theirs], kinds)
  open.push(made.api[Symbol.asyncDispose])
  return made
}

const contents = ({ frames }: Heard) => frames.filter((frame) => 'content' in frame).map((frame) => frame['content'])
/** Without the message that the first list is complete, which depends on who subscribed first. */
const changes = (socket: Heard) => contents(socket).filter((content) => !('many' in Object(content)))

async function subscribe(who: TestCaller, topic: string) {
  const socket = await client.as(who, pushPath)
  await socket.subscribe(topic)
  return socket
}

const small = (...all: Heard[]) => {
  for (const frame of all.flatMap(({ frames }) => frames)) expect(JSON.stringify(frame).length).toBeLessThan(1000)
}
const close = (...all: Heard[]) => all.forEach(({ ws }) => ws.close())

describe('pods', () => {
  test('are published with each change that the reader may see, until unsubscribing', async () => {
    const { api, uuid, stack, page } = await cluster({
      pods: [pod('web-1', { namespace: 'push-mine' }), pod('theirs-1', { namespace: 'push-theirs' })],
    })
    await stack(mine, 'push-mine')
    await page()
    await eventually(() => expect(api.watching('pods')).toBe(1))
    const team = await subscribe(viewer, podsTopic.name({ env: uuid, scope: mine.id }))
    const all = await subscribe(app.admin, podsTopic.name({ env: uuid, scope: 'all' }))
    expect([team.frames, all.frames]).toEqual([[], []])
    api.put('pods', pod('theirs-1', { namespace: 'push-theirs', restarts: 1 }))
    api.put('pods', pod('web-1', { namespace: 'push-mine', restarts: 2 }))
    api.drop('pods', 'web-1', 'push-mine')
    await eventually(() => expect(contents(all)).toHaveLength(3))
    const [, changed] = (await page({ pageSize: 5 })).items
    expect(contents(team)).toMatchObject([
      { pod: { name: 'web-1', restarts: 2, stack: { name: 'push-mine', teamId: mine.id } } },
      { gone: 'uid-push-mine/web-1' },
    ])
    expect(changed).toBeUndefined()
    expect(contents(all)[0]).toMatchObject({ pod: { name: 'theirs-1', restarts: 1, stack: null } })
    small(team, all)

    await stack(mine, 'push-theirs')
    await publish(app.ctx(), namespacesInUseTopic, { teamId: mine.id })
    await eventually(() => {
      api.put('pods', pod('theirs-1', { namespace: 'push-theirs', restarts: Math.floor(Math.random() * 1e6) }))
      expect(contents(team).at(-1)).toMatchObject({ pod: { name: 'theirs-1', stack: { name: 'push-theirs' } } })
    })
    close(team, all)
  })

  test('are published as a number in a burst, and so is the loss of the cluster', async () => {
    const { api, uuid, page } = await watchedCluster(app, [mine], {})
    await page()
    await eventually(() => expect(api.watching('pods')).toBe(1))
    const socket = await subscribe(app.admin, podsTopic.name({ env: uuid, scope: 'all' }))
    for (let n = 0; n < 300; n++) api.put('pods', pod(`storm-${n}`))
    // how many are published singly depends on the duration of the burst; each is published or counted once
    const counted = () => contents(socket).map((content) => Object(content) as { many?: number })
    await eventually(() => expect(counted().reduce((sum, { many = 1 }) => sum + many, 0)).toBe(300))
    expect(
      counted()
        .slice(0, 20)
        .filter(({ many }) => many === undefined),
    ).toHaveLength(20)
    const last = counted().length
    expect(last).toBeLessThan(300)
    await api[Symbol.asyncDispose]()
    await eventually(() => expect(contents(socket)[last]).toHaveProperty('many'))
    close(socket)
  })

  test('of others are not counted for a team when the cluster is lost', async () => {
    const { api, uuid, page } = await watchedCluster(app, [mine], { pods: [pod('a'), pod('b'), pod('c')] })
    await page()
    await eventually(() => expect(api.watching('pods')).toBe(1))
    const socket = await subscribe(viewer, podsTopic.name({ env: uuid, scope: mine.id }))
    await api[Symbol.asyncDispose]()
    await eventually(() => expect(contents(socket).length).toBeGreaterThan(0))
    for (const content of contents(socket)) expect(content).toEqual({ many: 0 })
    close(socket)
  })
})

describe('a stack', () => {
  const of = (service: number) => ({ 'gantry.dev/service': String(service) })

  test('publishes which services have changed pods, only on its own page and on the service’s', async () => {
    const { api, stack, page } = await cluster({ pods: [pod('old', { namespace: 'st-mine' })] })
    const { id, service } = await stack(mine, 'st-mine')
    await stack(theirs, 'st-theirs')
    await page()
    const member = await mine.member(['stack_service_view'])
    const socket = await subscribe(member, stackTopic.name({ stackId: id }))
    const one = await subscribe(member, serviceTopic.name({ serviceId: service }))
    await eventually(() => expect(api.watching('pods')).toBe(1))
    api.put('pods', pod('forged', { namespace: 'st-theirs', labels: of(service) }))
    api.put('pods', pod('of-none', { namespace: 'st-mine' }))
    // a subscription hears changes only from the moment its source is read, a little later
    let pods = 0
    await eventually(() => {
      api.put('pods', pod(`web-${++pods}`, { namespace: 'st-mine', labels: of(service) }))
      for (const each of [socket, one]) expect(changes(each).length).toBeGreaterThan(0)
    })
    for (const content of [socket, one].flatMap(changes)) expect(content).toEqual({ serviceId: service })
    expect(changes(socket).length).toBeLessThanOrEqual(pods)
    close(socket, one)
  })

  test('with 10,000 changing pods writes no row, and publishes to its page from time to time', async () => {
    const { api, stack, page } = await cluster({ pods: [] })
    const { id, service } = await stack(mine, 'st-storm')
    await page()
    const socket = await subscribe(mine.leader, stackTopic.name({ stackId: id }))
    await eventually(() => expect(api.watching('pods')).toBe(1))
    const rows = async () =>
      (
        await app.db
          .selectFrom('outbox')
          .select((n) => n.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n
    const before = await rows()
    for (let n = 0; n < 10_000; n++) api.put('pods', pod(`web-${n}`, { namespace: 'st-storm', labels: of(service) }))
    await eventually(async () => expect((await page()).totalSize).toBe(10_000), undefined, { ms: 20_000 })
    await eventually(() => expect(contents(socket).length).toBeGreaterThan(20))
    expect(contents(socket).length).toBeLessThan(200)
    expect(await rows()).toBe(before)
    close(socket)
  }, 30_000)
})

const event = (
  name: string,
  { namespace = 'default', type = 'Normal', kind = 'Pod', about = 'web-1', count = 1 } = {},
) => ({
  metadata: { name, namespace },
  involvedObject: { kind, namespace: kind === 'Node' ? '' : namespace, name: about },
  type,
  reason: 'Happened',
  message: 'x'.repeat(5000),
  lastTimestamp: '2026-01-01T00:00:00Z',
  count,
})

describe('events', () => {
  test('are published to a team for its namespaces if they are new or counted up, but not when they expire', async () => {
    const { api, uuid, stack } = await cluster({ events: [event('old', { namespace: 'ev-mine' })] })
    await stack(mine, 'ev-mine')
    await stack(theirs, 'ev-theirs')
    const team = await subscribe(viewer, eventsTopic.name({ env: uuid, scope: mine.id }))
    const all = await subscribe(app.admin, eventsTopic.name({ env: uuid, scope: 'all' }))
    await eventually(() => expect(api.watching('events')).toBe(1))
    const warning = { namespace: 'ev-mine', type: 'Warning' }
    api.put('events', event('theirs', { namespace: 'ev-theirs' }))
    api.put('events', event('mine', warning))
    api.put('events', event('mine', { ...warning, count: 2 }))
    api.drop('events', 'old', 'ev-mine')
    api.put('events', event('host', { kind: 'Node', about: 'n1' }))
    api.put('events', event('last', { namespace: 'ev-mine', kind: 'ReplicaSet' }))
    await eventually(() => expect(changes(all)).toHaveLength(5))
    const one = (type: string, namespace: string, kind = 'Pod') => ({ event: { type, namespace, kind } })
    expect(changes(team)).toEqual([
      one('Warning', 'ev-mine'),
      one('Warning', 'ev-mine'),
      one('Normal', 'ev-mine', 'ReplicaSet'),
    ])
    expect(changes(all)[0]).toEqual(one('Normal', 'ev-theirs'))
    expect(changes(all)[3]).toEqual(one('Normal', 'default', 'Node'))
    small(team, all)
    close(team, all)
  })

  test('are published to viewers of hosts by the host’s name', async () => {
    const { api, uuid, stack } = await cluster()
    await stack(theirs, 'host-theirs')
    const socket = await subscribe(mine.leader, hostEventsTopic.name({ env: uuid }))
    await eventually(() => expect(api.watching('events')).toBe(1))
    api.put('events', event('theirs', { namespace: 'host-theirs' }))
    api.put('events', event('host', { kind: 'Node', about: 'n1', type: 'Warning' }))
    await eventually(() => expect(changes(socket)).toEqual([{ host: 'n1' }]))
    close(socket)
  })

  test('are published for one service by its name in its namespace, and its page reads the same ones', async () => {
    const { api, uuid, stack } = await cluster()
    const { service } = await stack(mine, 'svc-mine')
    await stack(mine, 'svc-other')
    const member = await mine.member(['stack_service_view'])
    const socket = await subscribe(member, serviceEventsTopic.name({ serviceId: service }))
    await eventually(() => expect(api.watching('events')).toBe(1))
    api.put('events', event('elsewhere', { namespace: 'svc-other', about: 'web-1' }))
    api.put('events', event('another', { namespace: 'svc-mine', about: 'website' }))
    api.put('events', event('longer', { namespace: 'svc-mine', about: 'web-api-5d9c-bcd5f' }))
    api.put('events', event('its', { namespace: 'svc-mine', about: 'web-5d9c-bcd5f' }))
    await eventually(() => expect(changes(socket)).toEqual([{ serviceId: service }]))
    const params = { teamId: mine.id, envId: uuid, serviceId: service }
    const { items } = await member.call(services.events, { params })
    expect(items).toMatchObject([{ object: 'Pod/web-5d9c-bcd5f', type: 'Normal', count: 1 }])
    close(socket)
  })
})

const volume = (name: string, claim?: string, phase = claim === undefined ? 'Available' : 'Bound') => ({
  metadata: { name },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    ...(claim !== undefined && { claimRef: { namespace: claim, name: 'data', uid: 'u' } }),
  },
  status: { phase },
})

const using = (name: string, namespace: string) => {
  const made = pod(name, { namespace })
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
  return { ...made, spec: { ...made.spec, volumes } }
}

describe('volumes', () => {
  test('are published to a team if it claims them or they are free, and with the pods of its claims', async () => {
    const { api, uuid, stack } = await cluster({ persistentvolumes: [volume('free'), volume('theirs', 'vol-theirs')] })
    await stack(mine, 'vol-mine')
    await stack(theirs, 'vol-theirs')
    const team = await subscribe(viewer, volumesTopic.name({ env: uuid, scope: mine.id }))
    const all = await subscribe(app.admin, volumesTopic.name({ env: uuid, scope: 'all' }))
    await eventually(() => expect([api.watching('persistentvolumes'), api.watching('pods')]).toEqual([1, 1]))
    api.put('persistentvolumes', volume('theirs', 'vol-theirs', 'Released'))
    api.put('persistentvolumes', volume('free', 'vol-mine'))
    api.put('persistentvolumes', volume('new'))
    api.put('persistentvolumes', volume('new', 'vol-theirs'))
    api.drop('persistentvolumes', 'new')
    api.drop('persistentvolumes', 'free')
    const volumes = (socket: Heard) => changes(socket).filter((content) => 'volume' in Object(content))
    await eventually(() => expect(volumes(all)).toHaveLength(6))
    expect(volumes(team)).toEqual([{ volume: 'free' }, { volume: 'new' }, { volume: 'new' }, { volume: 'free' }])

    api.put('pods', using('theirs-1', 'vol-theirs'))
    api.put('pods', pod('without', { namespace: 'vol-mine' }))
    api.put('pods', using('mine-1', 'vol-mine'))
    api.drop('pods', 'mine-1', 'vol-mine')
    const claims = (socket: Heard) => changes(socket).filter((content) => 'claimsIn' in Object(content))
    await eventually(() => expect(claims(all)).toHaveLength(3))
    expect(claims(team)).toEqual([{ claimsIn: 'vol-mine' }, { claimsIn: 'vol-mine' }])
    small(team, all)
    close(team, all)
  })

  test('that a team’s stacks left are published to it, but not what somebody else claims there since', async () => {
    const { api, uuid, stack } = await cluster()
    await stack(mine, 'vol-left')
    await app.db.deleteFrom('stack').where('environment', '=', uuid).execute()
    const team = await subscribe(viewer, volumesTopic.name({ env: uuid, scope: mine.id }))
    const all = await subscribe(app.admin, volumesTopic.name({ env: uuid, scope: 'all' }))
    await eventually(() => expect([api.watching('persistentvolumes'), api.watching('pods')]).toEqual([1, 1]))
    api.put('persistentvolumes', volume('anew', 'vol-left'))
    api.put('persistentvolumes', volume('left', 'vol-left', 'Released'))
    api.put('pods', using('anew-1', 'vol-left'))
    await eventually(() => expect(changes(all)).toHaveLength(3))
    expect(changes(team)).toEqual([{ volume: 'left' }])
    close(team, all)
  })
})

test('changes are not published to a team whose cluster was reassigned', async () => {
  const { api, uuid } = await cluster({ persistentvolumes: [volume('free')] })
  const socket = await subscribe(viewer, volumesTopic.name({ env: uuid, scope: mine.id }))
  await eventually(() => expect(api.watching('persistentvolumes')).toBe(1))
  const params = { env: uuid }
  await app.admin.call(clusters.assign, { params, query: { tenant: mine.id, assigned: 'false' } })
  // as happens every 30 s
  await publishAs(app.ctx(), 'access', { accountId: null })
  await eventually(() => expect(socket.frames).toContainEqual(expect.objectContaining({ key: 'push-topic-unknown' })))
  api.put('persistentvolumes', volume('new'))
  const all = await subscribe(app.admin, volumesTopic.name({ env: uuid, scope: 'all' }))
  api.put('persistentvolumes', volume('newer'))
  await eventually(() => expect(changes(all)).toContainEqual({ volume: 'newer' }))
  expect(changes(socket)).toEqual([])
  close(socket, all)
})

test('changed hosts are published', async () => {
  const { api, uuid } = await cluster()
  const socket = await subscribe(mine.leader, hostsTopic.name({ env: uuid }))
  await eventually(() => expect(api.watching('nodes')).toBe(1))
  api.put('nodes', { metadata: { name: 'n1' } })
  api.put('nodes', { metadata: { name: 'n1' }, spec: { unschedulable: true } })
  await eventually(() => expect(changes(socket).slice(-2)).toEqual([{ host: 'n1' }, { host: 'n1' }]))
  close(socket)
})

describe('nobody receives', async () => {
  const { uuid, stack } = await cluster()
  const { service } = await stack(mine, 'hostile-mine')
  const stranger = await app.team()
  const nothing = await mine.member([])
  const onlyPods = await mine.member(['resource_pod_view'])
  const onlyHosts = await mine.member(['resource_host_view'])
  const everyCluster = await stranger.member([])
  const role = await app.db
    .insertInto('system_role')
    .values({ name: 'sees clusters', permissions: ['system_cluster_view'] })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('account_system_role').values({ account_id: everyCluster.id, role_id: role.id }).execute()
  const unknown = '00000000-0000-4000-8000-000000000000'
  const scoped = { pods: podsTopic, events: eventsTopic, volumes: volumesTopic }

  const attacks: [string, TestCaller, string][] = [
    ...Object.entries(scoped).flatMap(([kind, topic]): [string, TestCaller, string][] => {
      const of = (env: string, scope: ClusterScope) => topic.name({ env, scope })
      return [
        [`${kind} of another team`, viewer, of(uuid, theirs.id)],
        [`${kind} of everybody, as a member`, viewer, of(uuid, 'all')],
        [`${kind} of everybody, as a leader`, mine.leader, of(uuid, 'all')],
        [`${kind} of everybody, by a role that sees clusters and not what runs there`, everyCluster, of(uuid, 'all')],
        [`${kind} of a cluster that the team may not use`, stranger.leader, of(uuid, stranger.id)],
        [`${kind} of a cluster that does not exist`, viewer, of(unknown, mine.id)],
        [`${kind} of no cluster`, viewer, of("1';--", mine.id)],
        [`${kind} of no cluster, as an administrator`, app.admin, of('x', 'all')],
        [`${kind} of no team`, viewer, of(uuid, 0)],
        [`${kind} of every team`, viewer, `${kind}/${uuid}/*`],
        [`${kind} without the permission`, nothing, of(uuid, mine.id)],
      ]
    }),
    ['events with the permission for pods', onlyPods, eventsTopic.name({ env: uuid, scope: mine.id })],
    ['volumes with the permission for pods', onlyPods, volumesTopic.name({ env: uuid, scope: mine.id })],
    ['events with the permission for hosts', onlyHosts, eventsTopic.name({ env: uuid, scope: mine.id })],
    ['hosts without the permission', viewer, hostsTopic.name({ env: uuid })],
    ['hosts’ events without the permission', viewer, hostEventsTopic.name({ env: uuid })],
    ['hosts’ events of another’s cluster', stranger.leader, hostEventsTopic.name({ env: uuid })],
    ['hosts of no cluster', app.admin, hostsTopic.name({ env: 'x' })],
    ['hosts’ events of no cluster', app.admin, hostEventsTopic.name({ env: 'x' })],
    ['a service’s events of another team', theirs.leader, serviceEventsTopic.name({ serviceId: service })],
    ['a service’s events without the permission', viewer, serviceEventsTopic.name({ serviceId: service })],
    ['events of no service', app.admin, serviceEventsTopic.name({ serviceId: 2_000_000_000 })],
    ['events of what is no service', app.admin, 'service-events/1e1'],
    ['a service that is too long', app.admin, 'service/99999999999999999999'],
  ]

  test.for(attacks)('%s', async ([_what, who, topic]) => {
    const socket = await client.as(who, pushPath)
    socket.send({ op: 'subscribe', topic })
    await eventually(() =>
      expect(socket.frames).toContainEqual(expect.objectContaining({ op: 'error', topic, key: 'push-topic-unknown' })),
    )
    socket.ws.close()
  })
})
