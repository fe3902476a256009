import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { session } from '@gantry/contract/auth/session'
import { clusters } from '@gantry/contract/clusters/clusters'
import { charts } from '@gantry/contract/helm/charts'
import { releases } from '@gantry/contract/helm/releases'
import { helmRepositories } from '@gantry/contract/helm/repositories'
import { stacks } from '@gantry/contract/stacks/stacks'
import { chartRepository, greetingTemplate } from '../apps/server/test/chart-repository.ts'
import { labCluster } from '../apps/server/test/lab.ts'
import type { Product } from '../e2e/product.ts'
import { figure, ms, repeat, timed } from './figures.ts'

const [named, versionsEach] = [500, 20]

/** An index of 10,000 versions: listed, and read while another caller is served. */
export async function benchIndex({ admin }: Product, teamId: number): Promise<void> {
  const versions = (name: string) =>
    Array.from({ length: versionsEach }, (_, at) => ({
      name,
      version: `1.${at}.0`,
      appVersion: `${at}`,
      description: `What ${name} is for, in a sentence of the usual length`,
      created: '2026-01-02T03:04:05Z',
      urls: [`https://charts.example.test/${name}-1.${at}.0.tgz`],
    }))
  const names = Array.from({ length: named }, (_, at) => `chart-${at}`)
  const entries = Object.fromEntries(names.map((name) => [name, versions(name)]))
  const index = JSON.stringify({ apiVersion: 'v1', entries })
  const server = createServer((_, response) => response.end(index)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { id } = await admin.call(helmRepositories.create, { body: { name: 'many', url } })
    await admin.call(helmRepositories.assign, { params: { helmId: id }, body: { teams: [teamId] } })
    const others: number[] = []
    const read = async () => {
      const over = new AbortController()
      const reading = admin.call(helmRepositories.readAll, {}).finally(() => over.abort())
      while (!over.signal.aborted) others.push(await timed(() => admin.call(session.options, {})))
      await reading
    }
    const alone = await repeat(50, () => timed(() => admin.call(session.options, {})))
    figure('an index of 10,000 versions read and stored', await repeat(5, () => timed(read)), ms)
    figure('somebody else’s call meanwhile', others, ms, `else ${ms(Math.max(...alone))} at most`)
    const list = (requestPage: number) =>
      timed(() => admin.call(charts.list, { params: { repoId: id, tenantId: teamId }, query: { requestPage } }))
    figure('a page of its list', await repeat(20, () => list(1 + Math.floor(Math.random() * 20))), ms)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** A dry run with its differences, compared with helm's own; needs the lab's cluster and helm. */
export async function benchDryRun({ admin }: Product, teamId: number, helm: string | undefined): Promise<void> {
  const cluster = helm === undefined ? undefined : labCluster()
  if (helm === undefined || cluster === undefined) return console.log('dry runs: need the lab’s cluster and helm')
  const home = mkdtempSync(join(tmpdir(), 'gantry-bench-helm-'))
  const name = `bench-${randomBytes(3).toString('hex')}`
  const kubeconfig = readFileSync(cluster.kubeconfig, 'utf8')
  const { uuid: envId } = await admin.call(clusters.create, { body: { name, kubeconfig, teamIds: [teamId] } })
  const { id: stackId } = await admin.call(stacks.create, { params: { teamId }, body: { name, envId } })
  const at = { teamId, envId, stackId }
  const until = async <T>(look: () => Promise<T | false>): Promise<T> => {
    for (;;) {
      const found = await look()
      if (found !== false) return found
      await new Promise((later) => setTimeout(later, 200))
    }
  }
  const { namespace } = await until(async () => {
    const stack = await admin.call(stacks.get, { params: at })
    return stack.state === 'running' && stack
  })
  const repository = await chartRepository()
  try {
    const files = { 'values.yaml': 'greeting: hello\n', 'templates/config.yaml': greetingTemplate }
    await repository.add('0.1.0', files)
    const { id: repositoryId } = await admin.call(helmRepositories.create, { body: { name, url: repository.url } })
    await admin.call(helmRepositories.assign, { params: { helmId: repositoryId }, body: { teams: [teamId] } })
    const body = { name: 'web', stackId, repositoryId, chart: 'hello', version: '0.1.0', values: 'greeting: hi\n' }
    const deploy = (dryRun: 'true' | 'false') =>
      admin.call(releases.deploy, { params: { tenantId: teamId }, query: { envUuid: envId, dryRun }, body })
    const { release } = await deploy('false')
    const of = { params: { id: release?.id ?? 0, tenantId: teamId }, query: { cluster: envId } }
    await until(async () => (await admin.call(releases.get, of)).state === 'deployed')
    const archive = Buffer.from(await (await fetch(`${repository.url}/hello-0.1.0.tgz`)).arrayBuffer())
    writeFileSync(join(home, 'chart.tgz'), archive)
    writeFileSync(join(home, 'values.yaml'), body.values)
    const own = ['upgrade', 'web', 'chart.tgz', '--install', '--namespace', namespace, '--values', 'values.yaml']
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, KUBECONFIG: cluster.kubeconfig }
    const peer = await repeat(10, () =>
      timed(async () => execFileSync(helm, [...own, '--dry-run=server'], { cwd: home, env, stdio: 'ignore' })),
    )
    const middle = peer.toSorted((a, b) => a - b)[5] ?? 0
    const ours = await repeat(10, () => timed(() => deploy('true')))
    figure('a dry run with its differences', ours, ms, `helm ${ms(middle)}`)
  } finally {
    repository.close()
    await admin.call(stacks.remove, { params: at, query: { confirm: name } })
    await until(() =>
      admin.call(stacks.get, { params: at }).then(
        () => false,
        () => true,
      ),
    )
    rmSync(home, { recursive: true, force: true })
  }
}
