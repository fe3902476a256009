import { gzipSync } from 'node:zlib'
import { releases } from '@gantry/contract/helm/releases'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chartRepository } from '../../../../test/chart-repository.ts'
import { isFull } from '../../../../test/full.ts'
import { addRepository, helmPorts } from '../../../../test/lab-helm.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import type { Helm, HelmRun } from '../../../adapters/helm/helm.ts'
import { teamKind } from './kinds.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { objectsOf } from './manifest.ts'

const limits = (cpu: string, memory: string) => `resources: { limits: { cpu: ${cpu}, memory: ${memory} } }`
const workload = (kind: string, name: string, replicas: number, resources: string) => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
${kind === 'StatefulSet' ? `  serviceName: ${name}\n` : ''}  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers: [{ name: web, image: "localhost/busybox:1", ${resources} }]
`

/** What the next run renders. This fake replaces helm, which puts the objects and a record of them into the cluster. */
let manifest = ''
/** An object that only the real run creates, so that a dry run does not see it. */
let unseen = ''
let revision = 0

async function played({ kube, namespace, args }: HelmRun) {
  const record = {
    name: 'web',
    namespace,
    version: ++revision,
    manifest: manifest + unseen,
    info: { status: 'deployed' },
  }
  const isDry = args.includes('--dry-run=server')
  if (isDry) return { code: 0, stdout: JSON.stringify({ ...record, manifest }), stderr: '' }
  for (const one of objectsOf(record.manifest, namespace)) {
    const kind = teamKind(one)
    if (kind) await kube.create(kind, { ...one.object, metadata: { name: one.name, namespace } })
  }
  const release = Buffer.from(gzipSync(JSON.stringify(record)).toString('base64')).toString('base64')
  const labels = { owner: 'helm', name: 'web', status: 'deployed' }
  const name = `sh.helm.release.v1.web.v${revision}`
  await kube.create(kinds.secrets, { metadata: { name, namespace, labels }, data: { release } })
  return { code: 0, stdout: '', stderr: '' }
}
const helm: Helm = { version: async () => '3.0.0', run: played }

describe('a chart and the quota of its stack', async () => {
  const { app, newEnvironment, direct } = await sandboxApp({ ...helmPorts(undefined), helm })
  const repository = await chartRepository()
  afterAll(() => repository.close())
  beforeAll(() => repository.add('0.1.0', { 'values.yaml': '' }))

  async function newStack(quota: { cpu: number; memory: number }) {
    const team = await app.team()
    const { uuid: envUuid } = await newEnvironment(`cluster of ${team.id}`, team)
    const repositoryId = await addRepository(app, team.id, repository.url)
    const body = { name: 'shop', envId: envUuid, quota }
    const stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body })
    const at = { teamId: team.id, envId: envUuid, stackId: stack.id }
    const { namespace } = await eventually(
      async () => {
        await app.reconcile()
        const found = await team.leader.call(stacks.get, { params: at })
        expect(found.state).toBe('running')
        return found
      },
      undefined,
      patient,
    )
    const release = { name: 'web', stackId: stack.id, repositoryId, chart: 'hello', version: '0.1.0', values: '' }
    const deploy = (dryRun: 'true' | 'false', by = team.leader, lang = 'en') =>
      by.call(
        releases.deploy,
        { params: { tenantId: team.id }, query: { envUuid, dryRun }, body: release },
        { 'accept-language': lang },
      )
    const list = () => team.leader.call(releases.list, { params: { tenantId: team.id }, query: { envUuid } })
    return { team, namespace, deploy, list }
  }
  const patient = { ms: 30_000 }

  test('a chart that needs more than is left is refused before it is installed, with the excess', async () => {
    const { deploy, list, namespace } = await newStack({ cpu: 1, memory: 1 })
    manifest = workload('Deployment', 'web', 3, limits('500m', '512Mi'))
    const over = '0.5 cores of CPU too many (1.5 of 1), 0.5 GiB of memory too much (1.5 of 1)'
    const { dryRun } = await deploy('true')
    expect(dryRun?.quota).toMatchObject({ after: { cpu: 1.5, memory: 1.5 }, problem: expect.stringContaining(over) })
    const refused = { status: 409, key: 'helm-share-exceeded' }
    await expect(deploy('false')).rejects.toMatchObject({ ...refused, message: expect.stringContaining(over) })
    await expect(deploy('false', app.admin)).rejects.toMatchObject(refused)
    await expect(deploy('false', app.admin, 'zh')).rejects.toMatchObject({
      message: expect.stringContaining('CPU 超出 0.5 核（需要 1.5 核，上限 1 核），内存超出 0.5 GiB'),
    })
    expect((await list()).items).toEqual([])
    expect((await direct.list(kinds.deployments, { namespace })).items).toEqual([])
  })

  test('a chart that fits exactly is deployed, and one that does not fit beside it is refused', async () => {
    const { deploy, list } = await newStack({ cpu: 1, memory: 1 })
    manifest = workload('Deployment', 'web', 2, limits('500m', '512Mi'))
    await deploy('false')
    await eventually(
      async () => {
        await app.reconcile()
        expect((await list()).items).toMatchObject([{ name: 'web', state: 'deployed', message: '' }])
      },
      undefined,
      patient,
    )
    manifest = workload('Deployment', 'web', 2, limits('500m', '768Mi'))
    await eventually(
      () =>
        expect(deploy('false')).rejects.toMatchObject({
          message: expect.stringContaining('0.5 GiB of memory too much (1.5 of 1).') as string,
        }),
      undefined,
      patient,
    )
  })

  test.each(isFull ? ['Deployment', 'StatefulSet'] : ['Deployment'])(
    'a %s whose pods are refused only by the cluster has failed with the reason',
    async (kind) => {
      const { deploy, list } = await newStack({ cpu: 1, memory: 1 })
      manifest = workload('Deployment', 'fits', 1, limits('500m', '64Mi'))
      unseen = `---\n${workload(kind, 'more', 1, limits('750m', '64Mi'))}`
      await deploy('false')
      const [failed] = await eventually(
        async () => {
          await app.reconcile()
          const { items } = await list()
          expect(items[0]?.state).toBe('failed')
          return items
        },
        undefined,
        patient,
      )
      unseen = ''
      expect(failed?.message).toMatch(
        new RegExp(`pods of ${kind} more: .*exceeded quota: gantry-share.*limits.cpu=750m`),
      )
    },
    60_000,
  )
})
