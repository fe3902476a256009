import { randomBytes } from 'node:crypto'
import { copies } from '@gantry/contract/stacks/copies/copies'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labApp } from '../../../../test/lab-app.ts'
import { labCluster, nameByDigest } from '../../../../test/lab.ts'
import { until } from '../../../../test/own-namespace.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const lab = labCluster()
const image = 'localhost/busybox:1'
// with less, the client's tight loop is throttled and its requests time out
const resources = { cpu: '0.5', memory: '32Mi' }

/** Answers with its version. */
const web = (version: string): ServiceSpecInput => ({
  image,
  resources,
  replicas: 2,
  ports: [{ port: 8080 }],
  readiness: { type: 'http', port: 8080, path: '/version', periodSeconds: 1, timeoutSeconds: 5 },
  command: ['sh', '-c', `mkdir -p /tmp/www && echo ${version} > /tmp/www/version && exec httpd -f -p 8080 -h /tmp/www`],
})

/** Sends requests in a tight loop and writes each answer or failure. */
const client = (host: string): ServiceSpecInput => ({
  image,
  resources,
  command: [
    'sh',
    '-c',
    `while :; do a=$(printf 'GET /version HTTP/1.0\\r\\n\\r\\n' | nc -w 2 ${host} 8080 | tail -n 1); echo "\${a:-refused}"; done`,
  ],
})

describe.skipIf(lab === undefined)('copies on a real cluster (needs the lab’s kube)', async () => {
  const { app, kube, join, runJobs, stack } = await labApp()
  let team: Awaited<ReturnType<typeof app.team>>
  let stackId = 0
  let envId = ''
  let namespace = ''
  let id = 0
  const one = () => ({ params: { teamId: team.id, envId, id } })
  const read = () => team.leader.call(services.get, one())
  const becomes = (state: string) => until(`web is ${state}`, async () => (await read()).state === state, 150)

  beforeAll(async () => {
    nameByDigest(lab?.kubeconfig ?? '', image)
    team = await app.team(`copies-${randomBytes(3).toString('hex')}`)
    envId = await join(team)
    await runJobs()
    ;({ id: stackId, namespace } = await stack(team, envId))
    const create = (serviceName: string, spec: ServiceSpecInput) =>
      team.leader.call(services.create, { params: { teamId: team.id, stackId, serviceName }, body: spec })
    ;({ id } = await create('web', web('one')))
    await becomes('stable')
    // by address, because the lab's busybox resolves no names
    const { spec } = await kube().get(kinds.services, { name: 'web', namespace })
    const { id: asking } = await create('client', client(spec?.clusterIP ?? ''))
    const stable = async () =>
      (await team.leader.call(services.get, { params: { teamId: team.id, envId, id: asking } })).state === 'stable'
    await until('the client asks', stable, 90)
  }, 300_000)
  afterAll(async () => {
    await kube().remove(kinds.namespaces, { name: namespace })
  })

  /** The client's answers to its last requests, so many. */
  async function answers(tail: number): Promise<string[]> {
    const { items } = await kube().list(kinds.pods, { namespace, labels: `${labels.name}=client` })
    const lines: string[] = []
    const ref = { name: items[0]?.metadata?.name ?? '', namespace }
    for await (const line of kube().log(ref, { container: 'client', tail })) lines.push(line.text)
    return lines
  }
  const answered = (what: string) =>
    until(`web answers ${what}`, async () => (await answers(40)).every((line) => line === what), 60)

  test('blue/green and gray are put in place and rolled back under constant requests, none of which fails', async () => {
    await answered('one')
    await team.leader.call(copies.blueGreen, { ...one(), body: { spec: web('two') } })
    await becomes('upgraded')
    expect(new Set(await answers(40))).toEqual(new Set(['one']))
    await team.leader.call(services.confirm, one())
    await becomes('stable')
    await answered('two')

    const steps = [{ weight: 50 }, { weight: 100 }]
    await team.leader.call(copies.gray, { ...one(), body: { spec: web('three'), steps } })
    await until('the first step stands', async () => (await read()).copy?.waits === true, 150)
    await until('both answer', async () => new Set(await answers(200)).size === 2, 60)
    await team.leader.call(copies.goOn, one())
    await becomes('upgraded')
    await answered('three')
    await team.leader.call(services.rollBack, one())
    await becomes('stable')
    await answered('two')

    const all = await answers(1_000_000)
    expect(all.length).toBeGreaterThan(500)
    expect(all.filter((line) => !['one', 'two', 'three'].includes(line))).toEqual([])
  }, 600_000)
})
