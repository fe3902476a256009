import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { charts } from '@gantry/contract/helm/charts'
import { helmRepositories } from '@gantry/contract/helm/repositories'
import { afterAll, describe, expect, test } from 'vitest'
import { createCharts } from '../../../adapters/helm/charts.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { createRegistry } from '../../../adapters/registry/registry.ts'
import { labService } from '../../../../test/lab.ts'
import { testApp } from '../../../../test/test-app.ts'

const lab = labService('helm')
const images = labService('registry')
const value = (from: Record<string, string> | undefined, key: string): string => from?.[key] ?? ''

describe.skipIf(lab === undefined || images === undefined)(
  'real repositories (need the lab’s helm and registry)',
  async () => {
    const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
    afterAll(() => outbound.close())
    const app = await testApp({ ports: { outbound, charts: createCharts(outbound, createRegistry(outbound)) } })
    const team = await app.team()
    let made = 0
    const add = async (input: { url: string; username: string; password: string }) => {
      const added = await app.admin.call(helmRepositories.create, { body: { name: `real ${++made}`, ...input } })
      await app.admin.call(helmRepositories.assign, { params: { helmId: added.id }, body: { teams: [team.id] } })
      return added
    }
    const inspect = (repoName: string, chartName: string, version: string) =>
      team.leader.call(charts.inspect, { params: { chartName, repoName, tenantId: team.id, version } })

    test('an index behind a password is read, and its charts can be inspected', async () => {
      const access = {
        url: value(lab, 'HELM_REPO_URL'),
        username: value(lab, 'HELM_USER'),
        password: value(lab, 'HELM_PASSWORD'),
      }
      await expect(add({ ...access, password: 'wrong' })).rejects.toMatchObject({ key: 'helm-wrong-password' })
      const added = await add(access)
      const { items } = await team.leader.call(charts.list, { params: { repoId: added.id, tenantId: team.id } })
      expect(items).toContainEqual(expect.objectContaining({ name: 'hello', version: '0.2.0' }))
      expect(await inspect(added.name, 'hello', '0.1.0')).toMatchObject({
        name: 'hello',
        version: '0.1.0',
        values: expect.stringContaining('replicaCount'),
      })
    })

    test('charts in a registry are found among its images, and can be inspected', async () => {
      const host = new URL(value(images, 'REGISTRY_URL')).host
      const [username, password] = [value(images, 'REGISTRY_USER'), value(images, 'REGISTRY_PASSWORD')]
      const home = mkdtempSync(join(tmpdir(), 'charts-'))
      afterAll(() => rmSync(home, { recursive: true, force: true }))
      const helm = (...args: string[]) =>
        execFileSync(value(lab, 'HELM_BIN'), args, {
          env: { PATH: process.env['PATH'] ?? '', HOME: home, HELM_REGISTRY_CONFIG: join(home, 'registry.json') },
          stdio: 'ignore',
        })
      helm('registry', 'login', host, '-u', username, '-p', password, '--plain-http')
      helm('push', join(value(lab, 'HELM_CHARTS_DIR'), 'hello-0.1.0.tgz'), `oci://${host}/charts`, '--plain-http')
      helm('push', join(value(lab, 'HELM_CHARTS_DIR'), 'hello-0.2.0.tgz'), `oci://${host}/charts`, '--plain-http')
      await expect(add({ url: `oci+http://${host}/charts`, username, password: 'wrong' })).rejects.toMatchObject({
        key: 'registry-wrong-password',
      })
      const added = await add({ url: `oci+http://${host}/charts`, username, password })
      expect(added).toMatchObject({ kind: 'oci', charts: 1, versions: 2 })
      const { items } = await team.leader.call(charts.list, { params: { repoId: added.id, tenantId: team.id } })
      expect(items).toMatchObject([{ name: 'hello', version: '0.2.0', appVersion: '1.1' }])
      expect(await inspect(added.name, 'hello', '0.2.0')).toMatchObject({
        version: '0.2.0',
        values: expect.stringContaining('replicaCount'),
      })
    })
  },
)
