import { imports } from '@gantry/contract/blueprints/imports'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { refusalOf } from '../../../../test/test-app.ts'

const { app, newEnvironment } = await sandboxApp()
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
beforeAll(async () => {
  team = await app.team()
  envId = (await newEnvironment('one', team)).uuid
})

const at = (stackName: string) => ({ teamId: team.id, envId, stackName })
const check = (stackName: string, text: string, leaveOut: string[] = []) =>
  team.leader.call(imports.check, { params: at(stackName), body: { text, leaveOut } })
const bring = (stackName: string, text: string, leaveOut: string[] = []) =>
  team.leader.call(imports.create, { params: at(stackName), body: { text, leaveOut } })
const list = async (stackName: string) => {
  const { items } = await team.leader.call(stacks.list, {
    params: { teamId: team.id, envId },
    query: { search: stackName },
  })
  const stack = items.find(({ name }) => name === stackName)
  if (!stack) return undefined
  const found = await team.leader.call(services.list, {
    params: { teamId: team.id, envId, uuid: stack.uuid },
    query: { pageSize: -1 },
  })
  return Promise.all(
    found.items.map(({ id }) => team.leader.call(services.get, { params: { teamId: team.id, envId, id } })),
  )
}

const password = 'tidal-cobalt-47'
const objects = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web, tier: front, gantry.dev/team: '1' } }
    spec:
      hostNetwork: true
      containers:
        - name: web
          image: registry.example.test/web:1
          ports: [{ name: http, containerPort: 8080 }]
          resources: { limits: { cpu: 100m, memory: 64Mi } }
          env:
            - name: PASSWORD
              valueFrom: { secretKeyRef: { name: db, key: password } }
          readinessProbe: { httpGet: { port: http, path: /ready } }
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: conf, mountPath: /etc/conf }
      volumes:
        - { name: data, persistentVolumeClaim: { claimName: store } }
        - { name: conf, configMap: { name: settings } }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: http }] }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { site.conf: blue }
---
apiVersion: v1
kind: Secret
metadata: { name: db }
stringData: { password: ${password} }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: store }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }
---
apiVersion: example.com/v1
kind: Widget
metadata: { name: odd }
`

/** What `kubectl get -o yaml` prints for a Deployment and the objects that it creates. */
const printed = `apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    namespace: shop
    name: web
    uid: 5c596bcf-a95a-4be5-91b4-ae6467e5ed66
    resourceVersion: "12"
    generation: 3
    creationTimestamp: "2026-11-01T00:00:00Z"
    annotations: { deployment.kubernetes.io/revision: "3" }
  spec:
    replicas: 1
    revisionHistoryLimit: 10
    progressDeadlineSeconds: 600
    selector: { matchLabels: { tier: front } }
    strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 25%, maxUnavailable: 25% } }
    template:
      metadata:
        creationTimestamp: null
        labels: { tier: front }
        annotations: { kubectl.kubernetes.io/restartedAt: "2026-11-02T00:00:00Z" }
      spec:
        containers:
        - name: web
          image: registry.example.test/web:1
          imagePullPolicy: IfNotPresent
          terminationMessagePath: /dev/termination-log
          terminationMessagePolicy: File
          resources: { limits: { cpu: 100m, memory: 64Mi }, requests: { cpu: 100m, memory: 64Mi } }
          livenessProbe:
            httpGet: { path: /, port: 8080, scheme: HTTP }
            periodSeconds: 10
            timeoutSeconds: 1
            successThreshold: 1
            failureThreshold: 3
        restartPolicy: Always
        dnsPolicy: ClusterFirst
        schedulerName: default-scheduler
        securityContext: {}
        terminationGracePeriodSeconds: 30
  status: { replicas: 1, conditions: [{ type: Available }] }
- apiVersion: apps/v1
  kind: ReplicaSet
  metadata: { name: web-7d, ownerReferences: [{ kind: Deployment, name: web }] }
- apiVersion: v1
  kind: Pod
  metadata: { name: web-7d-x, ownerReferences: [{ kind: ReplicaSet, name: web-7d }] }
- apiVersion: v1
  kind: Service
  metadata: { name: web }
  spec:
    clusterIP: 10.96.0.7
    clusterIPs: [10.96.0.7]
    internalTrafficPolicy: Cluster
    ipFamilies: [IPv4]
    ipFamilyPolicy: SingleStack
    ports: [{ name: http, port: 8080, protocol: TCP, targetPort: 8080 }]
    selector: { tier: front }
    sessionAffinity: None
    type: ClusterIP
  status: { loadBalancer: {} }
metadata: { resourceVersion: "" }
`

const compose = `services:
  web:
    image: registry.example.test/web:\${TAG:-1}
    ports: ["8080:80"]
    depends_on: { db: { condition: service_healthy } }
    volumes: ["./conf:/etc/conf:ro"]
    networks: [front]
  db:
    image: registry.example.test/db:1
    user: "999:999"
    healthcheck: { test: [CMD, pg_isready], interval: 5s }
    deploy: { resources: { limits: { cpus: "0.2", memory: 64M } } }
    volumes: ["data:/var/lib/db"]
  worker:
    build: .
volumes: { data: }
networks: { front: }
`

describe('Kubernetes objects', () => {
  test('become services, and each line without an equivalent is reported', async () => {
    const plan = await check('shop', objects)
    expect(plan).toMatchObject({
      format: 'kubernetes',
      exists: false,
      names: ['web'],
      wrong: [],
      plan: { refusals: [] },
    })
    expect(JSON.stringify(plan)).not.toContain(password)
    expect(plan.notes.map(({ line, column }) => `${line}:${column}`)).toEqual([
      '5:3',
      '10:27',
      '10:50',
      '12:7',
      '32:41',
      '49:1',
    ])
    expect(await list('shop')).toBeUndefined()

    await bring('shop', objects)
    const [web] = (await list('shop')) ?? []
    expect(web?.spec).toMatchObject({
      replicas: 2,
      image: 'registry.example.test/web:1',
      ports: [{ port: 8080, protocol: 'TCP' }],
      readiness: { type: 'http', port: 8080, path: '/ready' },
      environment: [{ name: 'PASSWORD', secret: true }],
      files: [{ path: '/etc/conf/site.conf', content: 'blue' }],
      volumes: [{ name: 'data', type: 'claim', size: '2Gi' }],
      labels: [{ key: 'tier', value: 'front' }],
    })
    const row = await app.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'stack.import')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).toContain('web')
    expect(JSON.stringify(row)).not.toContain(password)
  })

  test('exported from a stack are imported as the same documents', async () => {
    const source = await team.leader.call(stacks.create, {
      params: { teamId: team.id },
      body: { name: 'source', envId },
    })
    const add = (serviceName: string, body: object) =>
      team.leader.call(services.create, {
        params: { teamId: team.id, stackId: source.id, serviceName },
        body: body as never,
      })
    const resources = { cpu: '0.1', memory: '32Mi' }
    await add('api', {
      image: 'registry.example.test/api:1',
      resources,
      ports: [{ port: 8080 }],
      files: [{ path: '/etc/a_b/c.conf', content: 'x: 1\n' }],
      volumes: [{ name: 'data', path: '/data', type: 'claim', size: '1Gi' }],
      autoscaling: { min: 1, max: 3, cpu: { out: 80, in: 40 } },
    })
    await add('job', { workload: 'job', image: 'registry.example.test/job:1', resources, job: { retries: 0 } })
    await add('tasks', { outward: { type: 'external', dns: 'tasks.example.test', ports: [{ port: 443 }] } })
    await add('front', {
      outward: {
        type: 'ingress',
        group: 'sandbox',
        hosts: [{ host: 'imports.example.test', paths: [{ service: 'api', port: 8080 }] }],
      },
    })
    await add('lb', {
      outward: {
        type: 'lb',
        rules: [{ name: 'raw', protocol: 'TCP', port: 5432, targets: [{ service: 'api', port: 8080 }] }],
      },
    })
    const { yaml } = await team.leader.call(stacks.yaml, { params: { id: source.id } })
    const before = await list('source')
    // a host or port belongs to one service at a time
    for (const [name, type] of Object.entries({ front: 'ingress', lb: 'lb' }))
      await team.leader.call(services.remove, {
        params: { teamId: team.id, envId, idAndType: `${before?.find((one) => one.name === name)?.id}_${type}` },
        query: { confirm: name, deleteFore: 'true' },
      })

    expect(await check('target', yaml)).toMatchObject({ wrong: [], notes: [], plan: { refusals: [] } })
    await bring('target', yaml)
    const documents = (of: typeof before) =>
      Object.fromEntries((of ?? []).map(({ name, type, spec }) => [name, { type, spec }]))
    expect(documents(await list('target'))).toEqual(documents(before))
  })

  test('printed by a cluster are read without the fields that the cluster has added', async () => {
    const { notes, wrong, names } = await check('told', printed)
    expect({ notes, wrong, names }).toEqual({
      notes: [expect.objectContaining({ line: 7, text: expect.stringContaining('namespace') })],
      wrong: [],
      names: ['web'],
    })
  })

  test('do not get a registry of another team', async () => {
    const other = await app.team()
    const { id } = await app.db
      .insertInto('registry')
      .values({ name: 'theirs', url: 'https://registry.example.test', username: '', password: '', team_id: other.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    const text = objects.replace('  namespace: shop', `  annotations: { gantry.dev/document: '{"registryId":${id}}' }`)
    expect((await check('theirs', text)).notes.map((one) => one.text)).toContainEqual(
      expect.stringContaining('registry'),
    )
    await bring('theirs', text)
    expect((await list('theirs'))?.map(({ spec }) => spec.registryId)).toEqual([null])
  })
})

describe('a Compose file', () => {
  test('is refused at the line of a service to build, until that service is left out', async () => {
    const plan = await check('compose', compose)
    expect(plan).toMatchObject({ format: 'compose', names: ['web', 'db', 'worker'], plan: null })
    expect(plan.wrong).toMatchObject([
      { line: 15, column: 5, service: 'worker', text: expect.stringContaining('pipeline') },
    ])
    expect(await refusalOf(bring('compose', compose))).toMatchObject({
      status: 400,
      key: 'imports-wrong',
      problems: [{ path: 'text:15:5' }],
    })
    expect(await list('compose')).toBeUndefined()

    const rest = await check('compose', compose, ['worker'])
    expect(rest).toMatchObject({
      wrong: [],
      plan: {
        made: [
          { name: 'web', requires: ['db'], turn: 2 },
          { name: 'db', turn: 1 },
        ],
      },
    })
    await bring('compose', compose, ['worker'])
    const made = await list('compose')
    expect(made?.map(({ name }) => name).toSorted()).toEqual(['db', 'web'])
    expect(made?.find(({ name }) => name === 'db')?.spec).toMatchObject({
      readiness: { type: 'command', command: ['pg_isready'], periodSeconds: 5, timeoutSeconds: 30 },
      security: { user: 999, group: 999 },
      volumes: [{ name: 'data', path: '/var/lib/db', type: 'claim', size: '1Gi' }],
    })
  })

  test('is refused at the line where services wait for each other or for an unknown one', async () => {
    const { wrong } = await check(
      'circle',
      `services:
  a: { image: a, depends_on: [b] }
  b: { image: b, depends_on: [a] }
  c: { image: c, depends_on: [d] }
`,
    )
    expect(wrong.map(({ line, column, service }) => ({ line, column, service }))).toEqual([
      { line: 3, column: 31, service: 'b' },
      { line: 4, column: 31, service: 'c' },
    ])
  })
})

test('names of existing services are refused, and nothing is created', async () => {
  await bring('taken', 'services: { web: { image: a } }')
  const more = 'services: { web: { image: b }, extra: { image: c } }'
  const { plan, exists } = await check('taken', more)
  expect(exists).toBe(true)
  expect(plan?.refusals).toEqual([expect.stringContaining('web')])
  expect((await refusalOf(bring('taken', more))).status).toBe(409)
  expect((await list('taken'))?.map(({ name }) => name)).toEqual(['web'])
  await bring('taken', more, ['web'])
  expect((await list('taken'))?.map(({ name }) => name).toSorted()).toEqual(['extra', 'web'])
})

test('a quota that is too small refuses the whole import', async () => {
  const body = { text: objects, quota: { cpu: 0.1, memory: 0.05 } }
  const { plan } = await team.leader.call(imports.check, { params: at('small'), body })
  expect(plan?.refusals).toHaveLength(1)
  expect((await refusalOf(team.leader.call(imports.create, { params: at('small'), body }))).status).toBe(409)
  expect(await list('small')).toBeUndefined()
})

test('a user who may create services but no stacks imports only into existing stacks', async () => {
  const member = await team.member(['stack_stack_view', 'stack_service_view', 'stack_service_create'])
  const ask = (stackName: string) =>
    member.call(imports.check, { params: at(stackName), body: { text: compose, leaveOut: ['worker'] } })
  expect(await ask('taken')).toMatchObject({ exists: true })
  expect((await refusalOf(ask('fresh'))).status).toBe(403)
})

const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
for (let one = 'b'; one <= 'j'; one = String.fromCodePoint((one.codePointAt(0) ?? 0) + 1))
  bomb.push(
    `${one}: &${one} [${Array.from({ length: 10 }, () => `*${String.fromCodePoint((one.codePointAt(0) ?? 0) - 1)}`).join(', ')}]`,
  )

test.each([
  ['aliases that expand to very much', `${bomb.join('\n')}\nservices: {}`],
  ['an alias of itself', 'services: &a { web: *a }'],
  ['an alias without an anchor', 'services: { web: *none }'],
  ['deep nesting', `services: ${'['.repeat(300)}${']'.repeat(300)}`],
  ['a key twice', 'services: { web: { image: a, image: b } }'],
  ['an object twice', `${objects}---\n${objects}`],
  [
    'two kinds with one name',
    `${objects}---\n${objects.replace('kind: Deployment', 'kind: StatefulSet').split('---')[0]}`,
  ],
  ['a name from the prototype', 'services: { __proto__: { image: a } }'],
  ['a name that no service may have', 'services: { My_Web: { image: a } }'],
  ['no YAML', 'services: { web: '],
  ['neither', 'topology_template: {}'],
  ['nothing', '# empty\n'],
  ['an invisible character', 'services: { web: { image: "a\u200b\u0007" } }'],
  ['an invalid image', 'services: { web: { image: "a b" } }'],
  ['another file', 'services: { web: { image: a, extends: { service: x } } }'],
  ['a file of variables', 'services: { web: { image: a, env_file: .env } }'],
  ['a variable of the shell', 'services: { web: { image: "${IMAGE}" } }'],
])('%s is refused at its line', async (_, text) => {
  const { wrong, plan } = await check('hostile', text)
  expect(plan).toBeNull()
  expect(wrong[0]).toMatchObject({ line: expect.any(Number), text: expect.stringMatching(/\S/) })
  expect((await refusalOf(bring('hostile', text))).status).toBe(400)
})
