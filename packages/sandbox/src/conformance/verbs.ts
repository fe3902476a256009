/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { rows, type Row } from './rows.ts'
import { eventually, must, pathIn, root, watched, type Case, type CaseContext } from './trial/trial.ts'

interface Made {
  trial: CaseContext
  row: Row
  name: string
  /** Selects the objects of this case. */
  label: string
  collection: string
  path: string
  object: Json
}

const full = (trial: CaseContext, row: Row, name: string, label: string): Json => {
  const body = row.body(name)
  if (row.kind === 'Event') body.involvedObject.namespace = trial.namespace
  return {
    apiVersion: row.groupVersion,
    kind: row.kind,
    ...body,
    metadata: { ...body.metadata, name, labels: { ...body.metadata?.labels, contract: label } },
  }
}

const collectionOf = (trial: CaseContext, row: Row): string =>
  row.cluster ? `${root(row.groupVersion)}/${row.plural}` : pathIn(trial.namespace, row.groupVersion, row.plural)

async function make(trial: CaseContext, row: Row): Promise<Made> {
  const name = trial.name(row.plural.slice(0, 20))
  const collection = collectionOf(trial, row)
  const body = full(trial, row, name, name)
  if (row.kind === 'Event') body.involvedObject.namespace = trial.namespace
  const object = must(await trial.kube.call('POST', collection, { body }), 201)
  return { trial, row, name, label: name, collection, path: `${collection}/${name}`, object }
}

async function removeMade({ trial, path }: Made): Promise<void> {
  await trial.kube.call('DELETE', path, { body: { gracePeriodSeconds: 0, propagationPolicy: 'Background' } })
}

/** The fields of an object that controllers do not change meanwhile: they do change the taints of a new node. */
const stable = ({ metadata, spec: { taints: _, ...spec } = {} as Json }: Json): Json => ({
  name: metadata.name,
  uid: metadata.uid,
  labels: metadata.labels,
  creationTimestamp: metadata.creationTimestamp,
  spec,
})

/** The verbs, each tested on every row. A test deletes what it creates. */
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
    // Items of a list repeat their kind only if it is custom.
    const { apiVersion, kind } = list.items[0]
    expect({ apiVersion, kind }).toEqual(row.custom ? { apiVersion: row.groupVersion, kind: row.kind } : {})
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
    const updated = await eventually(async () => {
      const { metadata } = must(await trial.kube.call('GET', path), 200)
      // Controllers may write meanwhile; an update without a version applies to the present state.
      if (row.conditional) patched.metadata.resourceVersion = metadata.resourceVersion
      else delete patched.metadata.resourceVersion
      return must(await trial.kube.call('PUT', path, { body: patched }), 200)
    })
    if (row.conditional) {
      const { resourceVersion: _, ...metadata } = updated.metadata
      const blind = await trial.kube.call('PUT', path, { body: { ...updated, metadata } })
      expect(blind.body).toMatchObject({ code: 422, reason: 'Invalid' })
      expect(blind.body.message).toContain(
        'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      )
    }
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
  async delete({ trial, row, path, object }) {
    const options = { preconditions: { uid: '00000000-0000-0000-0000-000000000000' }, propagationPolicy: 'Background' }
    expect((await trial.kube.call('DELETE', path, { body: options })).body).toMatchObject({
      reason: 'Conflict',
      code: 409,
    })
    const body = { preconditions: { uid: object.metadata.uid }, gracePeriodSeconds: 0, propagationPolicy: 'Background' }
    const answer = must(await trial.kube.call('DELETE', path, { body }), 200)
    expect(answer.kind).toBe(row.returned ? row.kind : 'Status')
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

/** Applying the same again changes nothing, unless a controller wrote in between. */
async function expectSame(
  trial: CaseContext,
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
        await removeMade(made)
      }
    },
  })),
)
