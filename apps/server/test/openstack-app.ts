import { openstack } from '@gantry/contract/openstack/openstack'
import { type NestedZone, type NormalZone, zones } from '@gantry/contract/openstack/zones'
import { afterAll, afterEach } from 'vitest'
import type { z } from 'zod'
import * as kinds from '../src/adapters/kube/resources.ts'
import { createOpenStack } from '../src/adapters/openstack/openstack.ts'
import { createOutbound } from '../src/adapters/outbound/outbound.ts'
import { jobs } from '../src/domains/openstack/settle.jobs.ts'
import { seal } from '../src/kernel/secrets/secrets.ts'
import { fakeIds, fakeOpenStack } from './fake-openstack.ts'
import { sandboxApp } from './sandbox-app.ts'
import type { TestCaller } from './test-app.ts'

export const neutronDefaults: z.input<typeof NormalZone>['neutronDefaults'] = {
  project: fakeIds.project,
  podSecurityGroups: [fakeIds.open],
  podSubnet: fakeIds.pods,
  serviceSubnet: fakeIds.services,
}

/** The result of `inCluster` for a zone that does not exist. */
export const nothing = { conf: undefined, labels: undefined, account: undefined }

/** The server with a sandbox's cluster and a fake OpenStack, which is honest again after each test. */
export async function openstackApp() {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const { app, direct, address, newEnvironment } = await sandboxApp({
    openstack: createOpenStack(outbound),
  })
  const fake = await fakeOpenStack()
  afterEach(fake.honest)
  afterAll(async () => {
    await fake[Symbol.asyncDispose]()
    await outbound.close()
  })
  const team = await app.team()
  const { uuid: env } = await newEnvironment('cluster', team)

  let made = 0
  const connect = (more: object = {}, by: TestCaller = team.leader, at = env) =>
    by.call(openstack.create, {
      params: { env: at },
      body: { name: `cloud-${++made}`, keystone: { ...fake.account, ...more } },
    })

  const normal = (openStackUuid: string, name = `zone-${++made}`): z.input<typeof NormalZone> => ({
    type: 'normal',
    name,
    openStackUuid,
    neutronDefaults,
  })
  const nested = (openStackUuid: string, name?: string): z.input<typeof NestedZone> => ({
    ...normal(openStackUuid, name),
    type: 'nested',
    podVifNested: { workerNodesSubnet: fakeIds.hosts },
  })
  const add = (body: z.input<typeof zones.create.body>, by: TestCaller = team.leader) =>
    by.call(zones.create, { params: { env }, body })

  /** A zone in the cluster: the contents of both of its objects. */
  async function inCluster(name: string) {
    const ref = { namespace: 'kuryr-system', name: `kuryr-zone-${name}` }
    const [map, secret] = [await direct.find(kinds.configMaps, ref), await direct.find(kinds.secrets, ref)]
    return {
      conf: map?.data?.['kuryr.conf'],
      labels: map?.metadata?.labels,
      account: secret?.data?.['kuryr.conf'] && Buffer.from(secret.data['kuryr.conf'], 'base64').toString(),
    }
  }

  /** Makes unfinished work old enough for the job, and runs the job. */
  async function settle() {
    const changed_at = new Date(Date.now() - 120_000).toISOString()
    await app.db.updateTable('zone').set({ changed_at }).execute()
    await app.db.updateTable('openstack').set({ changed_at }).execute()
    for (const job of jobs) await job.run(app.ctx(), {})
  }

  /** Makes the cluster unreachable; returns a function that repairs it. */
  async function breakCluster(): Promise<() => Promise<unknown>> {
    const of = app.db.selectFrom('environment').select('address').where('uuid', '=', env)
    const { address: kept } = await of.executeTakeFirstOrThrow()
    const put = (sealed: typeof kept) =>
      app.db.updateTable('environment').set({ address: sealed }).where('uuid', '=', env).execute()
    await put(seal(app.ctx(), JSON.stringify({ ...address, server: 'https://127.0.0.1:1' })))
    return () => put(kept)
  }

  return { app, direct, fake, team, env, newEnvironment, connect, normal, nested, add, inCluster, settle, breakCluster }
}
