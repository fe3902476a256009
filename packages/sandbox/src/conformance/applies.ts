/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { deploymentOf, must, type Case, type CaseContext } from './trial/trial.ts'

interface Applied {
  kube: CaseContext['kube']
  path: string
  apply(body: Json, query?: Record<string, string | boolean>): Promise<Json>
  answer(body: Json, query?: Record<string, string | boolean>): ReturnType<CaseContext['kube']['call']>
  merge(body: Json): Promise<Json>
  read(): Promise<Json>
}

/** One object, and ways to write it. */
function applied({ kube, at }: CaseContext, groupVersion: string, plural: string, name: string): Applied {
  const path = at(groupVersion, plural, name)
  const answer: Applied['answer'] = (body, query = {}) =>
    kube.call('PATCH', path, {
      body,
      type: 'application/apply-patch+yaml',
      query: { fieldManager: 'gantry', force: true, ...query },
    })
  return {
    kube,
    path,
    answer,
    async apply(body, query) {
      const { code, body: object, text } = await answer(body, query)
      if (code !== 200 && code !== 201) throw new Error(text)
      return object
    },
    merge: async (body) => must(await kube.call('PATCH', path, { body, type: 'application/merge-patch+json' }), 200),
    read: async () => must(await kube.call('GET', path), 200),
  }
}

const container = (object: Json, name: string): Json =>
  object.spec.template.spec.containers.find((one: Json) => one.name === name)

/** Deployments that never run anything, because only their fields matter. */
const idle = (name: string, containers: Json[], more: Json = {}): Json => {
  const body = deploymentOf(name, { replicas: 0 })
  body.spec.template.spec = { containers, ...more }
  return body
}
const a = { name: 'a', image: 'x/a:1' }
const b = { name: 'b', image: 'x/b:1' }

const applyCase = (
  title: string,
  attempt: (name: string, one: Applied, trial: CaseContext) => Promise<void>,
): Case => ({
  title,
  async run(trial) {
    const name = trial.name('applied')
    await attempt(name, applied(trial, 'apps/v1', 'deployments', name), trial)
  },
})
const mapCase = (
  title: string,
  attempt: (one: Applied, map: (data?: Json, meta?: Json) => Json, trial: CaseContext) => Promise<void>,
): Case => ({
  title,
  async run(trial) {
    const name = trial.name('applied')
    const map = (data?: Json, meta: Json = {}): Json => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, ...meta },
      ...(data ? { data } : {}),
    })
    await attempt(applied(trial, 'v1', 'configmaps', name), map, trial)
  },
})

export const applyCases: Case[] = [
  mapCase('a key that is no longer applied is removed, but not one that another manager wrote', async (one, map) => {
    await one.apply(map({ mine: '1', also: '1' }))
    await one.merge({ data: { other: '1' } })
    expect((await one.apply(map({ mine: '2' }))).data).toEqual({ mine: '2', other: '1' })
    expect((await one.apply(map())).data).toEqual({ other: '1' })
  }),
  mapCase('labels and annotations are merged the same way', async (one, map) => {
    await one.apply(map({}, { labels: { a: '1', b: '1' }, annotations: { a: '1' } }))
    const { metadata } = await one.apply(map({}, { labels: { b: '2' } }))
    expect([metadata.labels, metadata.annotations]).toEqual([{ b: '2' }, undefined])
  }),
  mapCase(
    'a value that another manager overwrote is refused without force, and taken back with it',
    async (one, map) => {
      await one.apply(map({ k: '1' }))
      await one.merge({ data: { k: '2' } })
      const refused = await one.answer(map({ k: '1' }), { force: false })
      expect(refused.body).toMatchObject({
        code: 409,
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "contract" using v1: .data.k',
        details: {
          causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "contract" using v1', field: '.data.k' }],
        },
      })
      expect((await one.apply(map({ k: '1' }))).data).toEqual({ k: '1' })
    },
  ),
  mapCase('a value that two managers apply is shared, and stays while one of them applies it', async (one, map) => {
    await one.apply(map({ k: '1' }))
    await one.apply(map({ k: '1' }), { fieldManager: 'second', force: false })
    expect((await one.apply(map())).data).toEqual({ k: '1' })
    expect((await one.apply(map(), { fieldManager: 'second' })).data).toBeUndefined()
  }),
  mapCase('two managers own only their own keys', async (one, map) => {
    await one.apply(map({ a: '1' }))
    const { data, metadata } = await one.apply(map({ b: '1' }), { fieldManager: 'second' })
    expect(data).toEqual({ a: '1', b: '1' })
    expect(metadata.managedFields.map((entry: Json) => [entry.manager, entry.fieldsV1]).sort()).toEqual([
      ['gantry', { 'f:data': { 'f:a': {} } }],
      ['second', { 'f:data': { 'f:b': {} } }],
    ])
    const clash = await one.answer(map({ b: '2' }), { force: false })
    expect(clash.body.message).toBe('Apply failed with 1 conflict: conflict with "second": .data.b')
  }),
  mapCase('a value that another manager updated is not removed when it is no longer applied', async (one, map) => {
    await one.apply(map({ k: '1', l: '1' }))
    await one.merge({ data: { k: '2' } })
    expect((await one.apply(map({ l: '1' }))).data).toEqual({ k: '2', l: '1' })
  }),
  mapCase('a dry run applies nothing', async (one, map) => {
    await one.apply(map({ k: '1' }))
    expect((await one.apply(map({ k: '2' }), { dryRun: 'All' })).data).toEqual({ k: '2' })
    expect((await one.read()).data).toEqual({ k: '1' })
  }),
  mapCase('refuses another uid or an older version', async (one, map) => {
    const { metadata } = await one.apply(map({ k: '1' }))
    const old = await one.answer(map({ k: '2' }, { resourceVersion: '1' }))
    expect(old.body).toMatchObject({ code: 409, reason: 'Conflict' })
    const other = await one.answer(map({ k: '2' }, { uid: '00000000-0000-0000-0000-000000000000' }))
    expect(other.body).toMatchObject({ code: 422, reason: 'Invalid' })
    expect(other.body.message).toContain(
      'metadata.uid: Invalid value: "00000000-0000-0000-0000-000000000000": field is immutable',
    )
    expect(
      (await one.apply(map({ k: '2' }, { uid: metadata.uid, resourceVersion: metadata.resourceVersion }))).data,
    ).toEqual({ k: '2' })
  }),
  mapCase('refuses a name that differs from the path’s', async (one, map) => {
    const refused = await one.answer(map({}, { name: 'other' }))
    expect(refused.body).toMatchObject({ code: 400, reason: 'BadRequest' })
    expect(refused.body.message).toContain('the name of the object (other) does not match the name on the URL')
  }),
  applyCase('containers are merged by name', async (name, one) => {
    await one.apply(idle(name, [a, b]))
    const changed = await one.apply(idle(name, [{ ...b, image: 'x/b:2' }]))
    expect(changed.spec.template.spec.containers).toMatchObject([{ name: 'b', image: 'x/b:2' }])
    expect(changed.spec.template.spec.containers).toHaveLength(1)
  }),
  applyCase('a container that another manager added stays', async (name, one) => {
    await one.apply(idle(name, [a]))
    await one.apply(
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name },
        spec: { template: { spec: { containers: [b] } } },
      },
      { fieldManager: 'second' },
    )
    const after = await one.apply(idle(name, [{ ...a, image: 'x/a:2' }]))
    expect(after.spec.template.spec.containers.map((each: Json) => [each.name, each.image])).toEqual([
      ['a', 'x/a:2'],
      ['b', 'x/b:1'],
    ])
  }),
  applyCase('merges ports by number and protocol', async (name, one) => {
    await one.apply(
      idle(name, [
        { ...a, ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }, { containerPort: 81 }] },
      ]),
    )
    const ports = [
      { containerPort: 80, name: 'http' },
      { containerPort: 80, protocol: 'UDP' },
    ]
    const after = await one.apply(idle(name, [{ ...a, ports }]))
    expect(container(after, 'a').ports).toEqual([
      { containerPort: 80, protocol: 'TCP', name: 'http' },
      { containerPort: 80, protocol: 'UDP' },
    ])
  }),
  applyCase('merges environment, mounts and volumes by their keys', async (name, one) => {
    const full = {
      ...a,
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '1' },
      ],
      volumeMounts: [
        { name: 'v', mountPath: '/v' },
        { name: 'w', mountPath: '/w' },
      ],
    }
    await one.apply(
      idle(name, [full], {
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'w', emptyDir: {} },
        ],
      }),
    )
    const less = {
      ...a,
      env: [{ name: 'B', value: '2' }],
      volumeMounts: [{ name: 'w', mountPath: '/w', readOnly: true }],
    }
    const after = await one.apply(idle(name, [less], { volumes: [{ name: 'w', emptyDir: { medium: 'Memory' } }] }))
    expect(container(after, 'a').env).toEqual([{ name: 'B', value: '2' }])
    expect(container(after, 'a').volumeMounts).toEqual([{ name: 'w', mountPath: '/w', readOnly: true }])
    expect(after.spec.template.spec.volumes).toEqual([{ name: 'w', emptyDir: { medium: 'Memory' } }])
  }),
  applyCase('a variable whose value becomes a reference', async (name, one) => {
    await one.apply(idle(name, [{ ...a, env: [{ name: 'A', value: '1' }] }]))
    const valueFrom = { configMapKeyRef: { name: 'm', key: 'k' } }
    const after = await one.apply(idle(name, [{ ...a, env: [{ name: 'A', valueFrom }] }]))
    expect(container(after, 'a').env).toEqual([{ name: 'A', valueFrom }])
  }),
  applyCase('a probe is removed as a whole, with its defaults', async (name, one) => {
    await one.apply(idle(name, [{ ...a, readinessProbe: { httpGet: { path: '/x', port: 80 } } }]))
    const after = await one.apply(idle(name, [a]))
    expect(container(after, 'a')).not.toHaveProperty('readinessProbe')
  }),
  applyCase('one kind of probe replaces another', async (name, one) => {
    await one.apply(idle(name, [{ ...a, readinessProbe: { httpGet: { path: '/x', port: 80 }, periodSeconds: 3 } }]))
    const after = await one.apply(idle(name, [{ ...a, readinessProbe: { exec: { command: ['true'] } } }]))
    expect(container(after, 'a').readinessProbe).toEqual({
      exec: { command: ['true'] },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    })
  }),
  applyCase('merges limits by resource', async (name, one) => {
    await one.apply(
      idle(name, [{ ...a, resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '0.5' } } }]),
    )
    const after = await one.apply(idle(name, [{ ...a, resources: { limits: { cpu: '2000m' } } }]))
    expect(container(after, 'a').resources).toEqual({ limits: { cpu: '2' } })
  }),
  applyCase('replaces commands as a whole', async (name, one) => {
    await one.apply(idle(name, [{ ...a, command: ['x', 'y'], args: ['1'] }]))
    const after = await one.apply(idle(name, [{ ...a, command: ['z'] }]))
    expect([container(after, 'a').command, container(after, 'a').args]).toEqual([['z'], undefined])
  }),
  applyCase('replicas that are no longer applied get their default', async (name, one) => {
    const body = idle(name, [a])
    body.spec.replicas = 0
    body.spec.paused = true
    await one.apply(body)
    const { replicas: _, ...spec } = body.spec
    expect((await one.apply({ ...body, spec })).spec.replicas).toBe(1)
  }),
  applyCase('replicas that another manager scaled stay', async (name, one, { kube }) => {
    const body = { ...idle(name, [a]) }
    body.spec.paused = true
    await one.apply(body)
    const scale = { body: { spec: { replicas: 3 } }, type: 'application/merge-patch+json' }
    expect(must(await kube.call('PATCH', `${one.path}/scale`, scale), 200)).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name },
      spec: { replicas: 3 },
      status: { selector: `app=${name}` },
    })
    const { replicas: _, ...spec } = body.spec
    expect((await one.apply({ ...body, spec })).spec.replicas).toBe(3)
    const clash = await one.answer(body, { force: false })
    expect(clash.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "contract" with subresource "scale" using apps/v1: .spec.replicas',
    )
    await kube.call('DELETE', one.path, { body: { propagationPolicy: 'Background' } })
  }),
  applyCase('records the fields of a manager', async (name, one) => {
    const body = idle(name, [{ ...a, ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] }])
    const { metadata } = await one.apply({ ...body, metadata: { name, labels: { l: '1' } } })
    const mine = metadata.managedFields.find((entry: Json) => entry.manager === 'gantry')
    expect(mine).toEqual({
      manager: 'gantry',
      operation: 'Apply',
      apiVersion: 'apps/v1',
      time: expect.any(String),
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:metadata': { 'f:labels': { 'f:l': {} } },
        'f:spec': {
          'f:replicas': {},
          'f:selector': {},
          'f:template': {
            'f:metadata': { 'f:labels': { 'f:app': {} } },
            'f:spec': {
              'f:containers': {
                'k:{"name":"a"}': {
                  '.': {},
                  'f:name': {},
                  'f:image': {},
                  'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
                  'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
                },
              },
            },
          },
        },
      },
    })
  }),
  {
    title: 'a service keeps its address, and its ports are merged by number',
    async run(trial) {
      const name = trial.name('applied')
      const one = applied(trial, 'v1', 'services', name)
      const service = (ports: Json[]): Json => ({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name },
        spec: { type: 'NodePort', selector: { app: 'none' }, ports },
      })
      const first = await one.apply(
        service([
          { name: 'x', port: 80 },
          { name: 'y', port: 81 },
        ]),
      )
      const second = await one.apply(service([{ name: 'y', port: 81, targetPort: 'y' }]))
      expect(second.spec.clusterIP).toBe(first.spec.clusterIP)
      expect(second.spec.ports).toEqual([
        { name: 'y', protocol: 'TCP', port: 81, targetPort: 'y', nodePort: first.spec.ports[1].nodePort },
      ])
      const plain = await one.apply({
        ...service([{ name: 'y', port: 81 }]),
        spec: { ports: [{ name: 'y', port: 81 }] },
      })
      expect([plain.spec.type, plain.spec.ports[0].nodePort, plain.spec.selector]).toEqual([
        'ClusterIP',
        undefined,
        undefined,
      ])
    },
  },
  {
    title: 'a status is applied separately',
    async run(trial) {
      const name = trial.name('applied')
      const one = applied(trial, 'v1', 'services', name)
      const metadata = { name }
      await one.apply({
        apiVersion: 'v1',
        kind: 'Service',
        metadata,
        spec: { ports: [{ port: 80 }] },
        status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
      })
      expect((await one.read()).status).toEqual({ loadBalancer: {} })
      const status = {
        conditions: [
          { type: 'A', status: 'True', reason: 'R', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
        ],
      }
      const answer = await trial.kube.call('PATCH', `${one.path}/status`, {
        body: { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 81 }] }, status },
        type: 'application/apply-patch+yaml',
        query: { fieldManager: 'gantry', force: true },
      })
      const after = must(answer, 200)
      expect([after.status.conditions, after.spec.ports[0].port]).toEqual([status.conditions, 80])
    },
  },
]
