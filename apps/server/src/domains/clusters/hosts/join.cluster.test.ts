import { readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { clusters } from '@gantry/contract/clusters/clusters'
import { stacks } from '@gantry/contract/stacks/stacks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labCluster } from '../../../../test/lab.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { accountOfManual, tokenOf } from '../../../../test/manual-account.ts'
import { until } from '../../../../test/own-namespace.ts'
import { type Refused, testApp } from '../../../../test/test-app.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { checkHealth } from '../health/health.service.ts'

const lab = labCluster()

describe.skipIf(lab === undefined)('joining a real cluster (needs the lab’s kube)', async () => {
  const kubeconfig = lab === undefined ? '' : readFileSync(lab.kubeconfig, 'utf8')
  const port = openKube({ admit: admitLocal })
  const app = await testApp({ ports: { kube: port } })
  const address = lab === undefined ? undefined : parseKubeconfig(kubeconfig)
  const kube = address === undefined ? undefined : port.cluster('ours', address).kube
  let token = ''
  const run = `gantry-join-${randomBytes(3).toString('hex')}`
  const cluster = () => {
    if (!kube || !address) throw new Error('no lab')
    return { kube, server: address.server, ca: address.ca ?? '' }
  }

  beforeAll(async () => {
    token = await accountOfManual(cluster().kube, run)
  })
  afterAll(async () => {
    for (const kind of [kinds.clusterRoleBindings, kinds.clusterRoles, kinds.namespaces])
      await kube?.remove(kind, { name: run })
    await port.close()
  })

  test('a cluster is joined by its kubeconfig, and cannot be joined again until it is deleted', async () => {
    const made = await app.admin.call(clusters.create, { body: { name: 'by-kubeconfig', kubeconfig } })
    expect(made).toMatchObject({ health: 'healthy', reach: 'kubeconfig', version: expect.stringMatching(/^v1\.3\d/) })
    expect(made.nodeNum).toBeGreaterThan(0)
    expect(made.capacity?.cpu).toBeGreaterThan(0)
    expect(made.capacity?.pods).toBeGreaterThan(0)
    const { kube, server, ca } = cluster()
    expect(made.cluster).toBe((await kube.get(kinds.namespaces, { name: 'kube-system' })).metadata?.uid)
    const again = app.admin.call(clusters.create, { body: { name: 'again', server, ca, token } })
    await expect(again).rejects.toMatchObject({
      status: 409,
      key: 'clusters-joined-already',
      message: expect.stringContaining('by-kubeconfig'),
    })
    await app.admin.call(clusters.remove, { params: { uuid: made.uuid }, query: { confirm: made.name } })
  })

  test('the token of the manual’s account has all rights and deploys stacks, and once revoked is reported', async () => {
    const { server, ca } = cluster()
    const body = { server, ca, token }
    const check = await app.admin.call(clusters.check, { body })
    expect(check.rights.filter(({ allowed }) => !allowed)).toEqual([])
    expect(check.ok).toBe(true)
    const team = await app.team(run.slice(-6))
    const { uuid } = await app.admin.call(clusters.create, {
      body: { name: 'by-token', teamIds: [team.id], ...body },
    })
    expect(await checkHealth(app.ctx(), uuid)).toBe(true)

    // the account itself needs what it grants to teams: the API server allows it to grant only that
    const stackOf = () => app.db.selectFrom('stack').selectAll().where('environment', '=', uuid).executeTakeFirst()
    const { id } = await team.leader.call(stacks.create, {
      params: { teamId: team.id },
      body: { name: 'shop', envId: uuid },
    })
    await until('the stack runs', async () => {
      await app.reconcile()
      return (await stackOf())?.state === 'running'
    })
    await team.leader.call(stacks.remove, {
      params: { teamId: team.id, envId: uuid, stackId: id },
      query: { confirm: 'shop' },
    })
    await until('the stack is gone', async () => {
      await app.reconcile()
      return (await stackOf()) === undefined
    })

    await cluster().kube.remove(kinds.secrets, { namespace: run, name: `${run}-token` })
    await cluster().kube.remove(kinds.serviceAccounts, { namespace: run, name: run })
    // the API server caches tokens for some seconds
    await until('the token is refused', async () => !(await checkHealth(app.ctx(), uuid)), 30)
    const left = await app.admin.call(clusters.get, { params: { uuid } })
    expect(left).toMatchObject({ health: 'credentials', healthMessage: expect.stringContaining('does not accept') })
    const again = app.admin.call(clusters.check, { body })
    expect(await again.catch((error: unknown) => error)).toMatchObject({
      status: 400,
      key: 'clusters-credentials-refused',
    })
  })

  test('with too few rights each missing required one is named, and nothing is saved', async () => {
    const { kube, server, ca } = cluster()
    const poor = `${run}-poor`
    await kube.apply(kinds.serviceAccounts, { metadata: { namespace: run, name: poor } })
    const secret = {
      metadata: { namespace: run, name: `${poor}-token`, annotations: { 'kubernetes.io/service-account.name': poor } },
      type: 'kubernetes.io/service-account-token',
    }
    await kube.apply(kinds.secrets, secret)
    const token = await tokenOf(kube, run, poor)
    const check = await app.admin.call(clusters.check, { body: { server, ca, token } })
    expect(check).toMatchObject({ ok: false, supported: true, nodeNum: 0 })
    expect(check.rights.some(({ allowed }) => allowed)).toBe(false)
    const refused = await app.admin
      .call(clusters.create, { body: { name: 'poor', server, ca, token } })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 400, key: 'clusters-rights-missing' })
    expect((refused as Refused).message).toContain('namespaces')
  })

  test('without its CA the certificate is not trusted', async () => {
    const { server } = cluster()
    const refused = await app.admin.call(clusters.check, { body: { server, token: 'abc' } }).catch((e: unknown) => e)
    expect(refused).toMatchObject({ status: 502, key: 'kube-tls-untrusted' })
  })
})
