import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { helmRepositories } from '@gantry/contract/helm/repositories'
import { type Deployment, releases } from '@gantry/contract/helm/releases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chartRepository, greetingTemplate, slowHook } from '../../../../test/chart-repository.ts'
import { labCluster } from '../../../../test/lab.ts'
import { labApp } from '../../../../test/lab-app.ts'
import { addRepository, helmPorts, helmProgram } from '../../../../test/lab-helm.ts'
import { until } from '../../../../test/own-namespace.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const program = labCluster() && helmProgram()

const config = `${greetingTemplate}  version: {{ .Chart.Version | quote }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}-key
stringData:
  key: canary-of-a-chart
`
const valuesYaml = '# what is said\ngreeting: hello\n'
const schema = '{"type":"object","properties":{"greeting":{"type":"string"},"count":{"type":"integer"}}}'

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  selector:
    matchLabels: { app: {{ .Release.Name }} }
  template:
    metadata:
      labels: { app: {{ .Release.Name }} }
    spec:
      serviceAccountName: {{ .Release.Name }}
      containers:
        - name: web
          image: localhost/busybox:1
          command: [sleep, "3600"]
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .Release.Name }}
`
const clusterRole = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ .Release.Name }}-everything
rules: []
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-elsewhere
  namespace: kube-system
`
const unfit = `apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  ports: [{ port: 80 }]
  clusterIP: 203.0.113.7
`

/** Five objects in the order in which helm creates them; the cluster refuses the third. */
const five = (clusterIP: string) => `apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .Release.Name }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  greeting: {{ .Values.greeting | quote }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  ports: [{ port: 80 }]
  clusterIP: ${clusterIP}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: web, image: localhost/busybox:1, command: ["true"] }]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ .Release.Name }}
spec:
  defaultBackend: { service: { name: {{ .Release.Name }}, port: { number: 80 } } }
`

describe.skipIf(program === undefined)('charts on a real cluster (needs the lab’s kube, and helm)', async () => {
  const folder = testFolder('helm-program')
  /** Writes its process id and then becomes helm, so that a test can kill that process only. */
  const started = join(folder, 'started')
  const wrapped = join(folder, 'helm')
  writeFileSync(wrapped, `#!/bin/sh\necho $$ >>${started}\nexec ${program ?? ''} "$@"\n`)
  chmodSync(wrapped, 0o755)
  const homes = join(folder, 'homes')
  const lab = await labApp({ ports: helmPorts(wrapped, homes) })
  const { app, kube } = lab
  const repository = await chartRepository()
  const teamName = `charts-${randomBytes(3).toString('hex')}`
  let team: Awaited<ReturnType<typeof app.team>>
  let [envUuid, namespace, stackId, repositoryId] = ['', '', 0, 0]

  beforeAll(async () => {
    const files = { 'values.yaml': valuesYaml, 'values.schema.json': schema }
    await repository.add('0.1.0', { ...files, 'templates/config.yaml': config, 'templates/NOTES.txt': 'Say it.' })
    await repository.add('0.2.0', { ...files, 'templates/config.yaml': config, 'templates/web.yaml': deployment })
    await repository.add('0.3.0', { ...files, 'templates/config.yaml': config, 'templates/unfit.yaml': unfit })
    await repository.add('0.4.0', { ...files, 'templates/config.yaml': config, 'templates/role.yaml': clusterRole })
    await repository.add('0.5.0', { ...files, 'templates/config.yaml': config, 'templates/slow.yaml': slowHook })
    await repository.add('0.6.0', { ...files, 'templates/five.yaml': five('203.0.113.7') })
    await repository.add('0.6.1', { ...files, 'templates/five.yaml': five('None') })
    team = await app.team(teamName)
    envUuid = await lab.join(team)
    repositoryId = await addRepository(app, team.id, repository.url)
    await lab.runJobs()
    ;({ id: stackId, namespace } = await lab.stack(team, envUuid))
  })
  afterAll(async () => {
    repository.close()
    await kube().remove(kinds.namespaces, { name: namespace })
    await kube().remove(kinds.clusterRoles, { name: 'admins-everything' })
    await kube().remove(kinds.configMaps, { namespace: 'kube-system', name: 'admins-elsewhere' })
  })

  const bodyOf = (name: string, version: string, values = ''): Deployment => ({
    name,
    stackId,
    repositoryId,
    chart: 'hello',
    version,
    values,
  })
  const deploy = (body: Deployment, dryRun: 'true' | 'false' = 'false', by = team.leader) =>
    by.call(releases.deploy, { params: { tenantId: team.id }, query: { envUuid, dryRun }, body })
  const read = (id: number) =>
    team.leader.call(releases.get, { params: { id, tenantId: team.id }, query: { cluster: envUuid } })
  const settled = async (id: number, state: string) => {
    await until(`the release is ${state}`, async () => {
      const now = await read(id)
      return now.state === state && now
    })
    return read(id)
  }
  async function deployed(body: Deployment, state = 'deployed', by = team.leader) {
    const { release } = await deploy(body, 'false', by)
    return settled(release?.id ?? 0, state)
  }
  const greeting = async (name: string) =>
    (await kube().find(kinds.configMaps, { namespace, name }))?.data?.['greeting']

  test('a dry run shows changes without making them, and then the chart is deployed', async () => {
    const { release, dryRun } = await deploy(bodyOf('first', '0.1.0', 'greeting: hi\n'), 'true')
    expect(release).toBeNull()
    expect(dryRun).toMatchObject({ upgrade: false, allowed: true, findings: [], notes: 'Say it.' })
    expect(dryRun?.objects.map(({ kind, change }) => [kind, change])).toEqual(
      expect.arrayContaining([
        ['ConfigMap', 'added'],
        ['Secret', 'added'],
      ]),
    )
    expect(JSON.stringify(dryRun)).not.toContain('canary')
    expect(await greeting('first')).toBeUndefined()
    const done = await deployed(bodyOf('first', '0.1.0', 'greeting: hi\n'))
    expect(await greeting('first')).toBe('hi')
    expect(done.history).toMatchObject([{ revision: 1, status: 'deployed', version: '0.1.0' }])
    expect(done.values).toContain('greeting: hi')
    expect(JSON.stringify(done)).not.toContain('canary')
    expect(done.live).toContainEqual(expect.objectContaining({ kind: 'ConfigMap', name: 'first', found: true }))
    const listed = await team.leader.call(releases.list, { params: { tenantId: team.id }, query: { envUuid } })
    expect(listed.items).toMatchObject([
      { name: 'first', state: 'deployed', stack: 'shop', repository: `charts ${team.id}` },
    ])
  })

  test('an upgrade keeps the values entered before, and a rollback restores them', async () => {
    const first = await deployed(bodyOf('second', '0.1.0', 'greeting: before\n'))
    const { dryRun } = await deploy(bodyOf('second', '0.2.0'), 'true')
    expect(dryRun?.upgrade).toBe(true)
    expect(dryRun?.objects).toContainEqual(
      expect.objectContaining({ kind: 'Deployment', change: 'added', name: 'second' }),
    )
    expect(dryRun?.quota.after?.cpu).toBe((dryRun?.quota.before?.cpu ?? 0) + 0.5)
    const second = await deployed(bodyOf('second', '0.2.0'))
    expect(second.id).toBe(first.id)
    expect(await greeting('second')).toBe('before')
    await deployed(bodyOf('second', '0.2.0', 'greeting: after\n'))
    expect(await greeting('second')).toBe('after')
    await until('its pod runs', async () =>
      (await read(first.id)).live.some(({ kind, ready }) => kind === 'Deployment' && ready === '1/1'),
    )
    await team.leader.call(releases.rollback, {
      params: { id: first.id, tenantId: team.id },
      query: { cluster: envUuid, revision: 1 },
    })
    const back = await settled(first.id, 'deployed')
    expect(back).toMatchObject({ version: '0.1.0', chart: 'hello' })
    expect(back.history[0]).toMatchObject({ status: 'deployed', version: '0.1.0' })
    expect(await greeting('second')).toBe('before')
    expect(await kube().find(kinds.deployments, { namespace, name: 'second' })).toBeUndefined()
    // images that a rollback would run, but that do not run now
    const images = await app.db
      .selectFrom('helm_release_image')
      .select(['revision', 'runs', 'image', 'path'])
      .where('release_id', '=', first.id)
      .orderBy('revision')
      .execute()
    const image = { runs: false, image: 'localhost/busybox:1', path: 'busybox' }
    expect(images).toEqual([
      { revision: 2, ...image },
      { revision: 3, ...image },
    ])
  })

  test('a release that the cluster refuses has failed with the reason, and the next deployment repairs it', async () => {
    const failed = await deployed(bodyOf('third', '0.3.0'), 'failed').catch((error: unknown) => error)
    expect(failed).toMatchObject({ state: 'failed', message: expect.stringContaining('clusterIP') })
    await deployed(bodyOf('third', '0.1.0'))
    expect(await greeting('third')).toBe('hello')
  })

  test('a release that fails at object 3 of 5 is shown as such, and can be deployed again, rolled back and deleted', async () => {
    const all = ['ServiceAccount', 'ConfigMap', 'Service', 'Job', 'Ingress']
    const there = ({ live }: { live: { kind: string; found: boolean }[] }) =>
      live.filter(({ found }) => found).map(({ kind }) => kind)
    const failed = await deployed(bodyOf('five', '0.6.0'), 'failed')
    expect(failed).toMatchObject({ message: expect.stringContaining('clusterIP'), history: [{ status: 'failed' }] })
    expect(failed.live.map(({ kind }) => kind).toSorted()).toEqual(all.toSorted())
    // helm may report the third object while it still creates the following ones
    expect(there(failed)).toEqual(expect.arrayContaining(['ServiceAccount', 'ConfigMap']))
    expect(there(failed)).not.toContain('Service')

    const mended = await deployed(bodyOf('five', '0.6.1'))
    expect(there(mended).toSorted()).toEqual(all.toSorted())
    expect(mended.history.map(({ status }) => status)).toEqual(['deployed', 'superseded'])
    // an upgrade fails at the third, after the second was changed
    await deployed(bodyOf('five', '0.6.0', 'greeting: changed\n'), 'failed')
    expect(await greeting('five')).toBe('changed')
    const act = { params: { id: failed.id, tenantId: team.id }, query: { cluster: envUuid } }
    await team.leader.call(releases.rollback, { ...act, query: { ...act.query, revision: 2 } })
    const back = await settled(failed.id, 'deployed')
    expect(back.version).toBe('0.6.1')
    expect(await greeting('five')).toBe('hello')
    // deploying the same again changes nothing
    const { dryRun } = await deploy(bodyOf('five', '0.6.1'), 'true')
    expect(dryRun?.objects.filter(({ change }) => change !== 'same')).toEqual([])

    await team.leader.call(releases.remove, act)
    await until('all of it is gone', async () => {
      const left = await Promise.all(
        [kinds.serviceAccounts, kinds.configMaps, kinds.services, kinds.jobs].map((kind) =>
          kube().find(kind, { namespace, name: 'five' }),
        ),
      )
      return left.every((one) => one === undefined)
    })
  })

  test('values that the schema refuses are a 400 with line and column', async () => {
    await expect(deploy(bodyOf('fourth', '0.1.0', '# a comment\ncount: many\n'), 'true')).rejects.toMatchObject({
      status: 400,
      key: 'helm-values-invalid',
      message: expect.stringMatching(/Line 2, column 8/),
    })
    await expect(deploy(bodyOf('fourth', '0.1.0', 'greeting: [\n'), 'true')).rejects.toMatchObject({
      key: 'helm-values-invalid',
    })
  })

  test('a ClusterRole and an object for kube-system are listed, and refused for a leader', async () => {
    const body = bodyOf('admins', '0.4.0')
    const { dryRun } = await deploy(body, 'true')
    expect(dryRun?.allowed).toBe(false)
    expect(dryRun?.findings.map(({ kind, reason }) => [kind, reason]).toSorted()).toEqual([
      ['ClusterRole', 'cluster-wide'],
      ['ConfigMap', 'foreign-namespace'],
    ])
    await expect(deploy(body)).rejects.toMatchObject({ status: 403, key: 'helm-needs-admin' })
    expect(await kube().find(kinds.clusterRoles, { name: 'admins-everything' })).toBeUndefined()
    const done = await deployed(body, 'deployed', app.admin)
    expect(await kube().find(kinds.clusterRoles, { name: 'admins-everything' })).toBeDefined()
    const act = { params: { id: done.id, tenantId: team.id }, query: { cluster: envUuid } }
    await expect(team.leader.call(releases.remove, act)).rejects.toMatchObject({ key: 'helm-needs-admin' })
    await expect(deploy(bodyOf('admins', '0.1.0'))).rejects.toMatchObject({ status: 403, key: 'helm-needs-admin' })
    await app.admin.call(releases.remove, act)
    await until(
      'it is gone',
      async () => (await kube().find(kinds.clusterRoles, { name: 'admins-everything' })) === undefined,
    )
  })

  test('the cluster itself refuses helm’s requests in the team’s name outside its namespace', async () => {
    const as = kube().as({ user: 'gantry:user:somebody', groups: [`gantry:team:${team.id}`] })
    for (const path of ['/api/v1/namespaces/kube-system/secrets', '/apis/rbac.authorization.k8s.io/v1/clusterroles']) {
      const { status, body } = await as.pass({ method: 'GET', path })
      await text(body)
      expect(status).toBe(403)
    }
  })

  test('helm killed in the middle leaves a pending release that is shown and repaired', async () => {
    const first = await deployed(bodyOf('fifth', '0.1.0', 'greeting: one\n'))
    const starts = () => readFileSync(started, 'utf8').trim().split('\n')
    await deploy(bodyOf('fifth', '0.5.0', 'greeting: two\n'))
    const pending = await until('helm waits for its hook', async () => {
      const now = await read(first.id)
      return now.history[0]?.status === 'pending-upgrade' && now
    })
    expect(pending).toMatchObject({ state: 'deploying' })
    const before = starts().length
    process.kill(Number(starts().at(-1)), 'SIGKILL')
    // another run repairs it; its hook, which may still be that of the run before, is released now
    await until('helm runs again', async () => starts().length > before)
    const mended = await until('it is mended', async () => {
      const job = await kube().find(kinds.jobs, { namespace, name: 'fifth-wait' })
      if (job?.spec?.suspend === true)
        await kube()
          .merge(kinds.jobs, { namespace, name: 'fifth-wait' }, { spec: { suspend: false } })
          // helm may just have deleted the hook of the run before
          .catch(() => undefined)
      const now = await read(first.id)
      return now.state === 'deployed' && now
    })
    expect(await greeting('fifth')).toBe('two')
    expect(mended.history.map(({ status }) => status)).toEqual(['deployed', 'superseded'])
  })

  test('a release, a cluster and a stack of another team do not exist', async () => {
    const done = await deployed(bodyOf('mine', '0.1.0'))
    const other = await app.team()
    const unknown = { status: 404, key: 'resource-missing' }
    const theirs = { params: { id: done.id, tenantId: other.id }, query: { cluster: envUuid } }
    await expect(other.leader.call(releases.get, theirs)).rejects.toMatchObject({ status: 404 })
    await expect(other.leader.call(releases.remove, theirs)).rejects.toMatchObject({ status: 404 })
    const back = { ...theirs, query: { cluster: envUuid, revision: 1 } }
    await expect(other.leader.call(releases.rollback, back)).rejects.toMatchObject({ status: 404 })
    const elsewhere = { params: { id: done.id, tenantId: team.id }, query: { cluster: randomUUID() } }
    await expect(team.leader.call(releases.get, elsewhere)).rejects.toMatchObject({ status: 404 })
    await expect(team.leader.call(releases.remove, elsewhere)).rejects.toMatchObject({ status: 404 })
    for (const dryRun of ['true', 'false'] as const)
      await expect(
        other.leader.call(releases.deploy, {
          params: { tenantId: other.id },
          query: { envUuid, dryRun },
          body: bodyOf('theirs', '0.1.0'),
        }),
      ).rejects.toMatchObject(unknown)
    expect(await read(done.id)).toMatchObject({ state: 'deployed' })
  })

  test('a release is deleted with its objects, and a repository only if it has no releases', async () => {
    const done = await deployed(bodyOf('last', '0.1.0'))
    await expect(app.admin.call(helmRepositories.remove, { params: { id: repositoryId } })).rejects.toMatchObject({
      key: 'helm-repository-in-use',
      message: expect.stringContaining('shop/last'),
    })
    await team.leader.call(releases.remove, {
      params: { id: done.id, tenantId: team.id },
      query: { cluster: envUuid },
    })
    await until('it is gone', async () => (await greeting('last')) === undefined)
    await until('it is no longer listed', () =>
      read(done.id).then(
        () => false,
        () => true,
      ),
    )
  })

  test('a run leaves nothing in its folder', () => {
    expect(existsSync(homes)).toBe(true)
    expect(execFileSync('ls', [homes], { encoding: 'utf8' })).toBe('')
  })
})
