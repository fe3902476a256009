import { expect } from 'vitest'
import type { Json } from './client.ts'
import { eventually, must, pathIn, podOf, root, templateOf, watched, type Case, type Trial } from './trial.ts'

/** One row of the table: a kind, an object of it, and a change that its verbs can make and see. */
interface Row {
  groupVersion: string
  plural: string
  kind: string
  /** Objects of the whole cluster, which carry the suite's namespace in their name. */
  cluster?: true
  body(name: string): Json
  /** A merge patch that changes the object. */
  change: Json
  /** Where the change is seen. */
  read(object: Json): unknown
  changed: unknown
  /** Nothing else may be deleted with it. */
  deleteCollection?: false
}

const annotate = {
  change: { metadata: { annotations: { note: 'changed' } } },
  read: (object: Json) => object.metadata.annotations?.note,
  changed: 'changed',
}

const workload = (kind: string, plural: string, more: object = {}): Row => ({
  groupVersion: 'apps/v1',
  plural,
  kind,
  body: (name) => ({
    spec: { replicas: 0, selector: { matchLabels: { app: name } }, template: templateOf(name), ...more },
  }),
  change: { spec: { template: { metadata: { annotations: { note: 'changed' } } } } },
  read: (object) => object.spec.template.metadata.annotations?.note,
  changed: 'changed',
})

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
const rbac = 'rbac.authorization.k8s.io/v1'

export const rows: Row[] = [
  {
    groupVersion: 'v1',
    plural: 'namespaces',
    kind: 'Namespace',
    cluster: true,
    body: () => ({}),
    ...annotate,
    deleteCollection: false,
  },
  { groupVersion: 'v1', plural: 'nodes', kind: 'Node', cluster: true, body: () => ({}), ...annotate },
  {
    groupVersion: 'v1',
    plural: 'pods',
    kind: 'Pod',
    // On no node, so that it neither runs nor takes its time to end.
    body: (name) => podOf(name, 'sleep 1', {}, { nodeSelector: { 'contract/none': 'none' } }),
    ...annotate,
  },
  {
    groupVersion: 'v1',
    plural: 'services',
    kind: 'Service',
    body: () => ({ spec: { selector: { app: 'none' }, ports: [{ port: 80 }] } }),
    change: { spec: { ports: [{ port: 81 }] } },
    read: (object) => object.spec.ports[0].port,
    changed: 81,
  },
  {
    groupVersion: 'v1',
    plural: 'endpoints',
    kind: 'Endpoints',
    body: () => ({ subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }] }),
    change: { subsets: null },
    read: (object) => object.subsets,
    changed: undefined,
  },
  {
    groupVersion: 'v1',
    plural: 'configmaps',
    kind: 'ConfigMap',
    body: () => ({ data: { key: 'value' } }),
    change: { data: { key: 'changed' } },
    read: (object) => object.data.key,
    changed: 'changed',
  },
  {
    groupVersion: 'v1',
    plural: 'secrets',
    kind: 'Secret',
    body: () => ({ stringData: { key: 'value' } }),
    change: { data: { key: 'Y2hhbmdlZA==' } },
    read: (object) => object.data.key,
    changed: 'Y2hhbmdlZA==',
  },
  { groupVersion: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', body: () => ({}), ...annotate },
  {
    groupVersion: 'v1',
    plural: 'events',
    kind: 'Event',
    body: () => ({ involvedObject: { kind: 'Pod', name: 'x' }, reason: 'Tried', message: 'm', type: 'Normal' }),
    change: { message: 'changed' },
    read: (object) => object.message,
    changed: 'changed',
  },
  {
    groupVersion: 'v1',
    plural: 'resourcequotas',
    kind: 'ResourceQuota',
    // It limits what no case makes.
    body: () => ({ spec: { hard: { 'services.loadbalancers': '7' } } }),
    change: { spec: { hard: { 'services.loadbalancers': '8' } } },
    read: (object) => object.spec.hard['services.loadbalancers'],
    changed: '8',
  },
  {
    groupVersion: 'v1',
    plural: 'limitranges',
    kind: 'LimitRange',
    body: () => ({ spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Ti' } }] } }),
    change: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '2Ti' } }] } },
    read: (object) => object.spec.limits[0].max.storage,
    changed: '2Ti',
  },
  {
    groupVersion: 'v1',
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    body: () => ({
      metadata: { finalizers: [] },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'none' },
    }),
    ...annotate,
  },
  {
    groupVersion: 'v1',
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    cluster: true,
    body: () => ({
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'none',
        hostPath: { path: '/none' },
      },
    }),
    ...annotate,
  },
  workload('Deployment', 'deployments'),
  workload('ReplicaSet', 'replicasets'),
  workload('StatefulSet', 'statefulsets', { serviceName: 'none' }),
  {
    ...workload('DaemonSet', 'daemonsets'),
    body: (name) => {
      const template = templateOf(name)
      template.spec.nodeSelector = { 'contract/none': 'none' }
      return { spec: { selector: { matchLabels: { app: name } }, template } }
    },
  },
  {
    groupVersion: 'batch/v1',
    plural: 'jobs',
    kind: 'Job',
    body: (name) => {
      const template = templateOf(name)
      template.spec.restartPolicy = 'Never'
      return { spec: { suspend: true, template } }
    },
    change: { spec: { parallelism: 2 } },
    read: (object) => object.spec.parallelism,
    changed: 2,
  },
  {
    groupVersion: 'discovery.k8s.io/v1',
    plural: 'endpointslices',
    kind: 'EndpointSlice',
    body: () => ({ addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }], ports: [{ name: '', port: 80 }] }),
    change: { endpoints: [{ addresses: ['10.1.2.4'] }] },
    read: (object) => object.endpoints[0].addresses,
    changed: ['10.1.2.4'],
  },
  {
    groupVersion: 'networking.k8s.io/v1',
    plural: 'networkpolicies',
    kind: 'NetworkPolicy',
    body: () => ({ spec: { podSelector: { matchLabels: { app: 'none' } } } }),
    change: { spec: { policyTypes: ['Ingress', 'Egress'] } },
    read: (object) => object.spec.policyTypes,
    changed: ['Ingress', 'Egress'],
  },
  {
    groupVersion: 'networking.k8s.io/v1',
    plural: 'ingresses',
    kind: 'Ingress',
    body: () => ({ spec: { defaultBackend: { service: { name: 'none', port: { number: 80 } } } } }),
    change: { spec: { defaultBackend: { service: { port: { number: 81 } } } } },
    read: (object) => object.spec.defaultBackend.service.port.number,
    changed: 81,
  },
  {
    groupVersion: 'storage.k8s.io/v1',
    plural: 'storageclasses',
    kind: 'StorageClass',
    cluster: true,
    body: () => ({ provisioner: 'contract/none' }),
    ...annotate,
  },
  {
    groupVersion: rbac,
    plural: 'roles',
    kind: 'Role',
    body: () => ({ rules }),
    change: { rules: [] },
    read: (object) => object.rules,
    changed: null,
  },
  {
    groupVersion: rbac,
    plural: 'rolebindings',
    kind: 'RoleBinding',
    body: () => ({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'none' },
      subjects: [{ kind: 'User', name: 'one' }],
    }),
    change: { subjects: [{ kind: 'User', name: 'two' }] },
    read: (object) => object.subjects,
    changed: [{ kind: 'User', name: 'two', apiGroup: 'rbac.authorization.k8s.io' }],
  },
  {
    groupVersion: rbac,
    plural: 'clusterroles',
    kind: 'ClusterRole',
    cluster: true,
    body: () => ({ rules }),
    change: { rules: [] },
    read: (object) => object.rules,
    changed: null,
  },
  {
    groupVersion: rbac,
    plural: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    cluster: true,
    body: () => ({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'none' },
      subjects: [{ kind: 'User', name: 'one' }],
    }),
    change: { subjects: [{ kind: 'User', name: 'two' }] },
    read: (object) => object.subjects,
    changed: [{ kind: 'User', name: 'two', apiGroup: 'rbac.authorization.k8s.io' }],
  },
]

interface Made {
  trial: Trial
  row: Row
  name: string
  /** Selects the objects of this case. */
  label: string
  collection: string
  path: string
  object: Json
}

const full = (trial: Trial, row: Row, name: string, label: string): Json => {
  const body = row.body(name)
  if (row.kind === 'Event') body.involvedObject.namespace = trial.namespace
  return {
    apiVersion: row.groupVersion,
    kind: row.kind,
    ...body,
    metadata: { ...body.metadata, name, labels: { ...body.metadata?.labels, contract: label } },
  }
}

const collectionOf = (trial: Trial, row: Row): string =>
  row.cluster ? `${root(row.groupVersion)}/${row.plural}` : pathIn(trial.namespace, row.groupVersion, row.plural)

async function make(trial: Trial, row: Row): Promise<Made> {
  const name = trial.name(row.plural.slice(0, 20))
  const collection = collectionOf(trial, row)
  const body = full(trial, row, name, name)
  if (row.kind === 'Event') body.involvedObject.namespace = trial.namespace
  const object = must(await trial.kube.call('POST', collection, { body }), 201)
  return { trial, row, name, label: name, collection, path: `${collection}/${name}`, object }
}

async function gone({ trial, path }: Made): Promise<void> {
  await trial.kube.call('DELETE', path, { body: { gracePeriodSeconds: 0, propagationPolicy: 'Background' } })
}

const plainItem = ({ kind: _, apiVersion: __, ...rest }: Json): Json => rest
/** Of an object that controllers write to meanwhile, only what they leave alone: a new node's taints they do not. */
const stable = ({ metadata, spec: { taints: _, ...spec } = {} as Json }: Json): Json => ({
  name: metadata.name,
  uid: metadata.uid,
  labels: metadata.labels,
  creationTimestamp: metadata.creationTimestamp,
  spec,
})

/** The verbs, each tried on every row. What a try makes it takes away again. */
const verbs: Record<string, (made: Made) => Promise<void>> = {
  async create({ trial, row, name, collection, object }) {
    expect(object).toMatchObject({ apiVersion: row.groupVersion, kind: row.kind })
    expect(object.metadata).toMatchObject({
      name,
      uid: expect.any(String),
      resourceVersion: expect.stringMatching(/^\d+$/),
    })
    expect(object.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const group = row.groupVersion.includes('/') ? row.groupVersion.split('/')[0] : undefined
    const again = await trial.kube.call('POST', collection, { body: full(trial, row, name, name) })
    expect(again.code).toBe(409)
    expect(again.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `${row.plural}${group ? `.${group}` : ''} "${name}" already exists`,
      reason: 'AlreadyExists',
      details: { name, ...(group ? { group } : {}), kind: row.plural },
      code: 409,
    })
  },
  async 'create, dry run'({ trial, row, collection }) {
    const name = trial.name('dry')
    const body = full(trial, row, name, name)
    must(await trial.kube.call('POST', collection, { body, query: { dryRun: 'All' } }), 201)
    must(await trial.kube.call('GET', `${collection}/${name}`), 404)
  },
  async get({ trial, path, object }) {
    const read = must(await trial.kube.call('GET', path), 200)
    expect(stable(read)).toEqual(stable(object))
  },
  async 'get of nothing'({ trial, row, collection }) {
    const group = row.groupVersion.includes('/') ? row.groupVersion.split('/')[0] : undefined
    const answer = await trial.kube.call('GET', `${collection}/nothing`)
    expect(answer.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `${row.plural}${group ? `.${group}` : ''} "nothing" not found`,
      reason: 'NotFound',
      details: { name: 'nothing', ...(group ? { group } : {}), kind: row.plural },
      code: 404,
    })
  },
  async list({ trial, row, label, collection, object }) {
    const list = must(await trial.kube.call('GET', collection, { query: { labelSelector: `contract=${label}` } }), 200)
    expect(list).toMatchObject({ kind: `${row.kind}List`, apiVersion: row.groupVersion })
    expect(Number(list.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(object.metadata.resourceVersion))
    expect(list.items.map(stable)).toEqual([stable(object)])
    // Items of a list do not say their kind again.
    expect(list.items[0]).toEqual(plainItem(list.items[0]))
  },
  async 'list by field'({ trial, name, collection }) {
    const list = must(
      await trial.kube.call('GET', collection, { query: { fieldSelector: `metadata.name=${name}` } }),
      200,
    )
    expect(list.items.map((item: Json) => item.metadata.name)).toEqual([name])
  },
  async watch({ trial, row, label, collection, path, object }) {
    const query = { labelSelector: `contract=${label}`, resourceVersion: object.metadata.resourceVersion }
    const seen = watched(trial.kube, collection, query, (events) => events.at(-1)?.type === 'DELETED')
    must(await trial.kube.call('PATCH', path, { body: row.change, type: 'application/merge-patch+json' }), 200)
    await trial.kube.call('DELETE', path, { body: { gracePeriodSeconds: 0, propagationPolicy: 'Background' } })
    const events = await seen
    expect(events.at(-1)).toMatchObject({ type: 'DELETED', object: { kind: row.kind, apiVersion: row.groupVersion } })
    expect(events.slice(0, -1).every(({ type }) => type === 'MODIFIED')).toBe(true)
    expect(events.some((event) => expectable(row.read(event.object), row.changed))).toBe(true)
    const versions = events.map((event) => Number(event.object.metadata.resourceVersion))
    expect(versions).toEqual([...versions].sort((a, b) => a - b))
  },
  async 'watch from the start'({ trial, label, collection, object }) {
    const events = await watched(trial.kube, collection, { labelSelector: `contract=${label}` }, () => true)
    expect(events).toMatchObject([{ type: 'ADDED', object: { metadata: { uid: object.metadata.uid } } }])
  },
  async update({ trial, row, path }) {
    const patched = must(
      await trial.kube.call('PATCH', path, {
        body: row.change,
        type: 'application/merge-patch+json',
        query: { dryRun: 'All' },
      }),
      200,
    )
    // Controllers may have written meanwhile; without a version the update is made on whatever there is.
    delete patched.metadata.resourceVersion
    const updated = must(await trial.kube.call('PUT', path, { body: patched }), 200)
    expect(row.read(updated)).toEqual(row.changed)
    const old = await trial.kube.call('PUT', path, {
      body: { ...updated, metadata: { ...updated.metadata, resourceVersion: '1' } },
    })
    expect(old.body).toMatchObject({ reason: 'Conflict', code: 409 })
    expect(old.body.message).toContain(
      'the object has been modified; please apply your changes to the latest version and try again',
    )
  },
  async 'merge patch'({ trial, row, path, object }) {
    const patched = must(
      await trial.kube.call('PATCH', path, { body: row.change, type: 'application/merge-patch+json' }),
      200,
    )
    expect(row.read(patched)).toEqual(row.changed)
    expect(Number(patched.metadata.resourceVersion)).toBeGreaterThan(Number(object.metadata.resourceVersion))
  },
  async apply({ trial, row, collection }) {
    const name = trial.name('applied')
    const path = `${collection}/${name}`
    const query = { fieldManager: 'gantry', force: true }
    const body = full(trial, row, name, name)
    const type = 'application/apply-patch+yaml'
    const first = must(await trial.kube.call('PATCH', path, { body, type, query }), 201)
    expect(first.metadata.managedFields.map((entry: Json) => [entry.manager, entry.operation])).toContainEqual([
      'gantry',
      'Apply',
    ])
    await expectSame(trial, path, body, query)
    await trial.kube.call('DELETE', path, { body: { gracePeriodSeconds: 0, propagationPolicy: 'Background' } })
  },
  async delete({ trial, path, object }) {
    const options = { preconditions: { uid: '00000000-0000-0000-0000-000000000000' }, propagationPolicy: 'Background' }
    expect((await trial.kube.call('DELETE', path, { body: options })).body).toMatchObject({
      reason: 'Conflict',
      code: 409,
    })
    const body = { preconditions: { uid: object.metadata.uid }, gracePeriodSeconds: 0, propagationPolicy: 'Background' }
    must(await trial.kube.call('DELETE', path, { body }), 200)
    await eventually(async () => must(await trial.kube.call('GET', path), 404))
    must(await trial.kube.call('DELETE', path), 404)
  },
  async deletecollection(made) {
    const { trial, row, label, collection, path } = made
    if (row.deleteCollection === false) return void must(await trial.kube.call('DELETE', collection), 405)
    const query = { labelSelector: `contract=${label}`, propagationPolicy: 'Background' }
    const answer = must(await trial.kube.call('DELETE', collection, { query }), 200)
    expect(answer.items.map((item: Json) => item.metadata.name)).toEqual([made.name])
    await eventually(async () => must(await trial.kube.call('GET', path), 404))
  },
}

const expectable = (actual: unknown, wanted: unknown): boolean => {
  try {
    expect(actual).toEqual(wanted)
    return true
  } catch {
    return false
  }
}

/** An apply of the same changes nothing, unless a controller wrote in between. */
async function expectSame(
  trial: Trial,
  path: string,
  body: Json,
  query: Record<string, string | boolean>,
): Promise<void> {
  const type = 'application/apply-patch+yaml'
  for (let tries = 0; ; tries++) {
    const before = must(await trial.kube.call('GET', path), 200)
    const after = must(await trial.kube.call('PATCH', path, { body, type, query }), 200)
    if (before.metadata.resourceVersion === after.metadata.resourceVersion) return
    expect(tries).toBeLessThan(10)
  }
}

/** Every verb on every kind. */
export const verbCases: Case[] = rows.flatMap((row) =>
  Object.entries(verbs).map(([verb, attempt]) => ({
    title: `${verb}: ${row.plural}`,
    async run(trial) {
      const made = await make(trial, row)
      try {
        await attempt(made)
      } finally {
        await gone(made)
      }
    },
  })),
)
