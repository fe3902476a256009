import { containers } from '@gantry/contract/stacks/containers/containers'
import { followServicePath, type LogSource, serviceLogs } from '@gantry/contract/stacks/containers/logs'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, describe, expect, test } from 'vitest'
import { runningContainer } from '../../../../test/running-container.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const place = await sandboxApp()
const client = await socketClient(place.app)
type Running = Awaited<ReturnType<typeof runningContainer>>

interface Frame {
  sources?: LogSource[]
  lines?: [n: number, at: string, text: string][]
  end?: string
}

const patience = { ms: 30_000 }

/** What a browser receives of a service's logs. */
async function follow({ team, envId, id }: Running, who = team.leader) {
  const path = followServicePath.replace(':teamId', String(team.id)).replace(':envId', envId).replace(':id', String(id))
  const socket = await client.as(who, path)
  const frames = () => socket.frames as Frame[]
  const sources = () => frames().findLast((frame) => frame.sources)?.sources ?? []
  const lines = () => {
    const known = new Map(frames().flatMap(({ sources = [] }) => sources.map((one) => [one.n, one] as const)))
    return frames().flatMap(({ lines = [] }) => lines.map(([n, at, text]) => ({ source: known.get(n), at, text })))
  }
  return { ...socket, sources, lines, close: () => socket.ws.close() }
}

const log20 = [{ name: 'SANDBOX_LOG', value: Array.from({ length: 20 }, (_, n) => `out ${n}`).join('\n') }]
let two: Running
/** Another service, whose pod writes one line and then crashes; it restarts while the other tests run. */
let ill: Running
let illRows: Awaited<ReturnType<typeof addPod>>
beforeAll(async () => {
  ;[two, ill] = await Promise.all([
    runningContainer(place, { replicas: 2, environment: log20 }),
    runningContainer(place),
  ])
  illRows = await addPod(ill, 'ill', {
    initContainers: [container('prepare', 'echo prepared')],
    containers: [container('c', 'echo begun; sleep 8; exit 1')],
  })
  await two.until(two.id, (all) => all.length === 2 && all.every(({ ready }) => ready))
})

const container = (name: string, script: string) => ({
  name,
  image: 'registry.example.test/web:1',
  command: ['sh', '-c', script],
  resources: { limits: { cpu: '10m', memory: '16Mi' } },
})

/** Waits until it runs again. */
const startedAgain = () =>
  eventually(
    async () => {
      const main = (await illRows()).find(({ name }) => name === 'c')
      expect(main).toMatchObject({ state: 'running' })
      expect(main?.restarts).toBeGreaterThan(0)
    },
    undefined,
    { ms: 60_000 },
  )

interface Parts {
  initContainers?: ReturnType<typeof container>[]
  containers: ReturnType<typeof container>[]
}

/** A pod of the service that does not belong to its workload. */
async function addPod({ podId, containers: rows }: Running, name: string, spec: Parts) {
  const { items } = await place.direct.list(kinds.pods)
  const like = items.find(({ metadata }) => metadata?.uid === podId)
  const { 'pod-template-hash': _, ...labels } = like?.metadata?.labels ?? {}
  const namespace = like?.metadata?.namespace ?? ''
  await place.direct.create(kinds.pods, { metadata: { name, namespace, labels }, spec })
  return async () => (await rows()).filter(({ podName }) => podName === name)
}

describe('the logs of a service', () => {
  test('of all pods are merged by the time of their lines', async () => {
    const one = await follow(two)
    await eventually(
      () => {
        const ready = one.lines().filter(({ text }) => text === 'ready')
        expect(new Set(ready.map(({ source }) => source?.pod)).size).toBe(2)
      },
      undefined,
      patience,
    )
    const upTo = one.lines().findLastIndex(({ text }) => text === 'ready')
    const stamps = one
      .lines()
      .slice(0, upTo)
      .map(({ at }) => at)
    expect(stamps).toEqual(stamps.toSorted())
    for (const { podName } of await two.containers()) {
      const own = one.lines().filter(({ source, text }) => source?.pod === podName && text.startsWith('out'))
      expect(own.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, n) => `out ${n}`))
    }
    one.close()
  })

  test('lose and repeat no line when connections break or the cluster ends them', async () => {
    const one = await follow(two)
    const of = (pod: string) => one.lines().filter(({ source }) => source?.pod === pod)
    const grown = async () => {
      const before = new Map((await two.containers()).map(({ podName }) => [podName, of(podName).length]))
      await eventually(
        () => {
          for (const [pod, length] of before) expect(of(pod).length).toBeGreaterThan(length)
        },
        undefined,
        patience,
      )
    }
    await eventually(() => expect(one.lines().length).toBeGreaterThan(40), undefined, patience)
    for (const how of ['destroy', 'end', 'destroy'] as const) {
      expect(place.gateway.endLogs(how)).toBeGreaterThanOrEqual(2)
      await grown()
      await grown()
    }
    for (const { podName, podId, name } of await two.containers()) {
      const params = { teamId: two.team.id, envId: two.envId, podId, name }
      const { lines } = await two.team.leader.call(containers.log, { params, query: { quantity: 5000 } })
      const got = of(podName).map(({ at, text }) => ({ at, text }))
      expect(got).toEqual(lines.slice(0, got.length))
    }
    one.close()
  })

  test('include init containers and the run before the last restart', async () => {
    await startedAgain()
    const one = await follow(ill)
    const said = () => one.lines().filter(({ source }) => source?.pod === 'ill')
    await eventually(() => expect(said().length).toBeGreaterThanOrEqual(3), undefined, patience)
    expect(said().map(({ source, text }) => [source?.container, source?.role, source?.previous, text])).toEqual([
      ['prepare', 'init', false, 'prepared'],
      ['c', 'main', true, 'begun'],
      ['c', 'main', false, 'begun'],
    ])
    one.close()
  })

  test('include the open log of a silent container, and logs of new pods', async () => {
    const of = await runningContainer(place, { command: ['sleep', '3600'] })
    const one = await follow(of)
    await eventually(
      () => expect(one.sources()).toMatchObject([{ pod: of.podName, state: 'open' }]),
      undefined,
      patience,
    )
    expect(one.lines()).toEqual([])
    await addPod(of, 'late', { containers: [container('c', 'echo late; sleep 3600')] })
    await eventually(
      () => expect(one.lines()).toMatchObject([{ source: { pod: 'late' }, text: 'late' }]),
      undefined,
      patience,
    )
    one.close()
  })

  test('need the permission to see containers, and are limited to services of the own team', async () => {
    const stranger = await place.app.team()
    for (const [who, team] of [
      [await two.team.member(['stack_file_view']), two.team],
      [stranger.leader, two.team],
    ] as const)
      expect(await (await follow({ ...two, team }, who)).ended).toBe(403)
    const other = await follow({ ...two, team: stranger }, stranger.leader)
    await other.ended
    expect(other.lines()).toEqual([])
    expect(other.sources()).toEqual([])
  })
})

describe('a search in the logs of a service', () => {
  const search = (query: { text: string; pod?: string; quantity?: number }, who = two.team.leader, of = two) =>
    who.call(serviceLogs.search, { params: { teamId: of.team.id, envId: of.envId, id: of.id }, query })

  test('finds a text in all pods, ignoring case, and says where', async () => {
    const { lines, found, read, unread } = await search({ text: 'OUT 7' })
    expect([found, unread]).toEqual([2, []])
    expect(read).toBeGreaterThanOrEqual(2 * 22)
    expect(lines.map(({ text, previous }) => [text, previous])).toEqual([
      ['out 7', false],
      ['out 7', false],
    ])
    const pods = (await two.containers()).map(({ podName }) => podName)
    expect(lines.map(({ pod }) => pod).toSorted()).toEqual(pods.toSorted())
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).toSorted())
  })

  test('keeps the last lines, and can be limited to one pod', async () => {
    const { lines, found } = await search({ text: 'out', pod: two.podName, quantity: 2 })
    expect(found).toBe(20)
    expect(lines.map(({ pod, text }) => [pod, text])).toEqual([
      [two.podName, 'out 18'],
      [two.podName, 'out 19'],
    ])
    expect(await search({ text: 'out', pod: 'none' })).toMatchObject({ lines: [], found: 0, read: 0 })
  })

  test('finds what a container wrote before its restart', async () => {
    await startedAgain()
    const { lines } = await search({ text: 'begun' }, ill.team.leader, ill)
    expect(lines.map(({ pod, previous }) => [pod, previous])).toEqual([
      ['ill', true],
      ['ill', false],
    ])
  })

  test('needs the permission to see containers, and a text', async () => {
    await expect(search({ text: 'out' }, await two.team.member(['stack_file_view']))).rejects.toMatchObject({
      status: 403,
    })
    const stranger = await place.app.team()
    await expect(search({ text: 'out' }, stranger.leader, { ...two, team: stranger })).rejects.toMatchObject({
      status: 404,
    })
    for (const text of ['', 'x'.repeat(201)]) await expect(search({ text })).rejects.toMatchObject({ status: 400 })
  })
})
