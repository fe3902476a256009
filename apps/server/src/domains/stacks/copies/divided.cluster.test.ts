import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { copies } from '@gantry/contract/stacks/copies/copies'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labApp } from '../../../../test/lab-app.ts'
import { labCluster, nameByDigest, startGateway } from '../../../../test/lab.ts'
import { until } from '../../../../test/own-namespace.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const lab = labCluster()
const image = 'localhost/busybox:1'
if (lab) startGateway()

/** Answers with its version. */
const web = (version: string): ServiceSpecInput => ({
  image,
  resources: { cpu: '0.5', memory: '32Mi' },
  replicas: 2,
  ports: [{ port: 8080 }],
  readiness: { type: 'http', port: 8080, path: '/', periodSeconds: 1, timeoutSeconds: 5 },
  command: [
    'sh',
    '-c',
    `mkdir -p /tmp/www && echo ${version} > /tmp/www/index.html && exec httpd -f -p 8080 -h /tmp/www`,
  ],
})

const header = { name: 'X-Tester', value: 'yes' }

/** Sends fifty requests a second to an address for a host, every tenth with the header, and keeps the answers. */
function client(address: string, host: string) {
  const agent = new Agent({ keepAlive: true })
  const answers: { withHeader: boolean; said: string }[] = []
  const ask = (withHeader: boolean) => {
    const headers = { host, ...(withHeader ? { [header.name]: header.value } : {}) }
    const sent = request({ host: address, path: '/', headers, agent, timeout: 10_000 }, (answer) => {
      let body = ''
      answer.on('data', (part: Buffer) => (body += part.toString()))
      // the text of a failure says whether the controller or a pod has failed
      answer.on('end', () =>
        answers.push({ withHeader, said: answer.statusCode === 200 ? body.trim() : `${answer.statusCode}: ${body}` }),
      )
    })
    sent.on('error', (error) => answers.push({ withHeader, said: error.message }))
    sent.on('timeout', () => sent.destroy(new Error('too slow')))
    sent.end()
  }
  let requests = 0
  const timer = setInterval(() => ask(requests++ % 10 === 0), 20)
  return {
    answers,
    /** The versions that answer the next requests, so many with or without the header. */
    latest: (withHeader: boolean, count: number) =>
      answers
        .filter((one) => one.withHeader === withHeader)
        .slice(-count)
        .map(({ said }) => said),
    stop: () => {
      clearInterval(timer)
      agent.destroy()
    },
  }
}

describe.skipIf(!lab)('requests that are divided on a real cluster (needs the lab’s kube)', async () => {
  const { app, kube, join, runJobs, stack } = await labApp()
  const name = `divided-${randomBytes(3).toString('hex')}`
  const host = `${name}.gantry.test`
  let team: Awaited<ReturnType<typeof app.team>>
  let envId = ''
  let stackId = 0
  let namespace = ''
  let id = 0
  let asking: ReturnType<typeof client> | undefined
  const one = (service = id) => ({ params: { teamId: team.id, envId, id: service } })
  const read = (service = id) => team.leader.call(services.get, one(service))
  const becomes = (state: string) => until(`web is ${state}`, async () => (await read()).state === state, 150)

  beforeAll(async () => {
    nameByDigest(lab?.kubeconfig ?? '', image)
    team = await app.team(name)
    envId = await join(team)
    await runJobs()
    ;({ id: stackId, namespace } = await stack(team, envId))
    const create = (serviceName: string, body: ServiceSpecInput) =>
      team.leader.call(services.create, { params: { teamId: team.id, stackId, serviceName }, body })
    ;({ id } = await create('web', web('one')))
    await becomes('stable')
    const rules = [{ name: 'web', port: 80, host, targets: [{ service: 'web', port: 8080 }] }]
    const { id: way } = await create('front', { outward: { type: 'lb', rules } })
    await until('the way in is open', async () => (await read(way)).state === 'stable', 90)
    const address = (await read(way)).addresses.find(({ external }) => !external)?.url ?? ''
    asking = client(address, host)
    await until('it answers', () => Promise.resolve(asking?.latest(false, 20).every((said) => said === 'one') ?? false))
    asking.answers.length = 0
  }, 300_000)
  afterAll(async () => {
    asking?.stop()
    await kube().remove(kinds.namespaces, { name: namespace })
  })

  const answered = (withHeader: boolean, ...versions: string[]) =>
    until(
      `web answers ${versions.join(' and ')}`,
      () => {
        const latest = new Set(asking?.latest(withHeader, withHeader ? 20 : 100))
        return Promise.resolve(latest.size === versions.length && versions.every((one) => latest.has(one)))
      },
      60,
    )

  test('gray by header and by weight, blue/green and rolling upgrades fail none of fifty requests a second', async () => {
    const steps = [{ weight: 0 }, { weight: 30 }, { weight: 100 }]
    await team.leader.call(copies.gray, { ...one(), body: { spec: web('two'), by: 'requests', header, steps } })
    const stands = (step: number) =>
      until(
        `step ${step} stands`,
        async () => (await read()).copy?.step === step && (await read()).copy?.waits === true,
        150,
      )
    await stands(0)
    await answered(true, 'two')
    await answered(false, 'one')
    await team.leader.call(copies.goOn, one())
    await stands(1)
    await answered(false, 'one', 'two')
    const from = asking?.answers.length ?? 0
    await until('300 more are answered', () => Promise.resolve((asking?.answers.length ?? 0) > from + 330))
    const plain = (asking?.answers ?? []).slice(from).filter(({ withHeader }) => !withHeader)
    const part = plain.filter(({ said }) => said === 'two').length / plain.length
    expect(part).toBeGreaterThan(0.15)
    expect(part).toBeLessThan(0.45)
    await team.leader.call(copies.goOn, one())
    await becomes('upgraded')
    await answered(false, 'two')
    await team.leader.call(services.rollBack, one())
    await becomes('stable')
    await answered(false, 'one')
    await answered(true, 'one')

    await team.leader.call(copies.gray, {
      ...one(),
      body: { spec: web('two'), by: 'requests', steps: [{ weight: 50 }] },
    })
    await becomes('upgraded')
    await team.leader.call(services.confirm, one())
    await becomes('stable')
    await answered(false, 'two')

    await team.leader.call(copies.blueGreen, { ...one(), body: { spec: web('three') } })
    await becomes('upgraded')
    expect(new Set(asking?.latest(false, 50))).toEqual(new Set(['two']))
    await team.leader.call(services.confirm, one())
    await becomes('stable')
    await answered(false, 'three')

    await team.leader.call(services.upgrade, { ...one(), body: web('four') })
    await becomes('upgraded')
    await team.leader.call(services.confirm, one())
    await answered(false, 'four')

    const failed = (asking?.answers ?? []).filter(({ said }) => !['one', 'two', 'three', 'four'].includes(said))
    expect(failed).toEqual([])
    expect(asking?.answers.length).toBeGreaterThan(1000)
  }, 900_000)
})
