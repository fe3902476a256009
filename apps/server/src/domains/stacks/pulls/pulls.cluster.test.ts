import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { registries } from '@gantry/contract/images/registries'
import { services } from '@gantry/contract/stacks/services'
import { pack } from 'tar-stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { labCluster, labService, removeImages } from '../../../../test/lab.ts'
import { labApp } from '../../../../test/lab-app.ts'
import { until } from '../../../../test/own-namespace.ts'
import { pushImage } from '../../../../test/push-image.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { createRegistry } from '../../../adapters/registry/registry.ts'

const lab = labCluster()
const real = lab && labService('registry')

describe.skipIf(lab === undefined || real === undefined)(
  'pulling images in a real cluster (needs the lab’s kube and registry)',
  async () => {
    const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
    const registry = createRegistry(outbound)
    const { app, kube, join, runJobs, stack } = await labApp({ ports: { outbound, registry } })
    const name = `pulls-${randomBytes(3).toString('hex')}`

    /** The lab's registry behind a password that changes. */
    let password = 'the first one'
    const address = new URL(real?.['REGISTRY_URL'] ?? 'http://127.0.0.1:1')
    const basic = (user: string, secret: string) => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
    const door = createServer((given, answer) => {
      if (given.headers.authorization !== basic('puller', password))
        return void answer.writeHead(401, { 'www-authenticate': 'Basic realm="door"' }).end('{}')
      const headers = {
        ...given.headers,
        authorization: basic(real?.['REGISTRY_USER'] ?? '', real?.['REGISTRY_PASSWORD'] ?? ''),
      }
      const on = ask(new URL(given.url ?? '/', address), { method: given.method ?? 'GET', headers }, (said) => {
        answer.writeHead(said.statusCode ?? 502, said.headers)
        said.pipe(answer)
      })
      on.on('error', () => answer.destroy())
      given.pipe(on)
    }).listen(0, '127.0.0.1')
    await once(door, 'listening')
    const host = `127.0.0.1:${(door.address() as AddressInfo).port}`

    let namespace = ''
    afterAll(async () => {
      if (namespace) await kube().remove(kinds.namespaces, { name: namespace })
      if (lab) removeImages(lab.kubeconfig, name)
      door.closeAllConnections()
      door.close()
      await outbound.close()
    })

    /** Pushes an image, a different one for each tag, with a shell that only waits. */
    async function push(tag: string): Promise<void> {
      const tar = pack()
      tar.entry({ name: 'bin/busybox', mode: 0o755 }, readFileSync('/bin/busybox'))
      tar.entry({ name: 'bin/sh', type: 'symlink', linkname: 'busybox' })
      tar.entry({ name: 'version' }, tag)
      tar.finalize()
      const layer = await buffer(tar)
      await pushImage(registry, { url: `http://${host}`, username: 'puller', password }, name, {
        tags: [tag],
        layer,
        config: { config: { Cmd: ['/bin/sh', '-c', 'sleep 3600'], User: '1000:1000' } },
      })
    }

    test('once the password of a registry was changed, the next pod pulls with the new one', async () => {
      await push('1')
      await push('2')
      const team = await app.team(name)
      const params = { teamId: team.id }
      const envId = await join(team)
      const access = { name: 'door', url: `http://${host}`, username: 'puller', password }
      const { id: registryId } = await team.leader.call(registries.create, { params, body: access })
      await runJobs()
      const shop = await stack(team, envId)
      ;({ namespace } = shop)
      const spec = (tag: string) => ({
        image: `${host}/${name}:${tag}`,
        registryId,
        resources: { cpu: '0.05', memory: '32Mi' },
      })
      const { id } = await team.leader.call(services.create, {
        params: { ...params, stackId: shop.id, serviceName: 'web' },
        body: spec('1'),
      })
      const read = () => team.leader.call(services.get, { params: { ...params, envId, id } })
      const isIn = (state: string) => until(`it is ${state}`, async () => (await read()).state === state && read(), 90)
      const first = await isIn('stable')

      password = 'the second one'
      await team.leader.call(registries.update, {
        params: { ...params, registryId },
        body: { ...access, password },
      })
      await team.leader.call(services.upgrade, {
        params: { ...params, envId, id },
        query: { revision: first.revision },
        body: spec('2'),
      })
      // this state requires that the pod of the new image is ready
      const { spec: running } = await isIn('upgraded')
      expect(running.image).toBe(spec('2').image)
    })
  },
)
