/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { must, watched, type Case, type CaseContext } from './trial/trial.ts'

const names = (list: Json): string[] => list.items.map((item: Json) => item.metadata.name)

/** Creates config maps with these labels in a new namespace. */
async function place(trial: CaseContext, maps: Record<string, Record<string, string>>): Promise<string> {
  const namespace = await trial.newNamespace()
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  for (const [name, labels] of Object.entries(maps))
    must(await trial.kube.call('POST', path, { body: { metadata: { name, labels } } }), 201)
  return path
}

const ownLabel = { labelSelector: 'x' }

const selectors: [selector: string, found: string[]][] = [
  ['x', ['a', 'b', 'c', 'd']],
  ['x=1', ['a', 'b']],
  ['x==1,y=2', ['b']],
  ['x!=1,x', ['c', 'd']],
  ['x in (1,2)', ['a', 'b', 'c']],
  ['x in (2, 3),y', ['d']],
  ['x,x notin (1)', ['c', 'd']],
  ['x,!y', ['a', 'c']],
  ['x,y notin (2)', ['a', 'c', 'd']],
  ['x=1,y=3', []],
]

export const listCases: Case[] = [
  {
    title: 'label selectors',
    async run(trial) {
      const path = await place(trial, { d: { x: '3', y: '' }, c: { x: '2' }, b: { x: '1', y: '2' }, a: { x: '1' } })
      for (const [labelSelector, found] of selectors) {
        const list = must(await trial.kube.call('GET', path, { query: { labelSelector } }), 200)
        expect([labelSelector, names(list)]).toEqual([labelSelector, found])
      }
      const query = { fieldSelector: 'metadata.name!=a', labelSelector: 'x=1' }
      expect(names(must(await trial.kube.call('GET', path, { query }), 200))).toEqual(['b'])
    },
  },
  {
    title: 'pages in the order of names, of one version',
    async run(trial) {
      const path = await place(trial, { c: { x: '' }, a: { x: '' }, 'a-b': { x: '' }, 'a.b': { x: '' }, e: { x: '' } })
      const first = must(await trial.kube.call('GET', path, { query: { ...ownLabel, limit: 2 } }), 200)
      expect(names(first)).toEqual(['a', 'a-b'])
      const second = must(
        await trial.kube.call('GET', path, { query: { ...ownLabel, limit: 2, continue: first.metadata.continue } }),
        200,
      )
      expect(names(second)).toEqual(['a.b', 'c'])
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
      const last = must(
        await trial.kube.call('GET', path, { query: { ...ownLabel, limit: 2, continue: second.metadata.continue } }),
        200,
      )
      expect([names(last), last.metadata.continue]).toEqual([['e'], undefined])
      const counted = must(await trial.kube.call('GET', path, { query: { limit: 2 } }), 200)
      // Every namespace has a config map from the start.
      expect(counted.metadata.remainingItemCount).toBe(4)
    },
  },
  {
    title: 'a list over all namespaces',
    async run(trial) {
      const [one, two] = [await place(trial, { z: { all: 'q' } }), await place(trial, { a: { all: 'q' } })]
      const list = must(await trial.kube.call('GET', '/api/v1/configmaps', { query: { labelSelector: 'all=q' } }), 200)
      expect(list.items.map((item: Json) => `/api/v1/namespaces/${item.metadata.namespace}/configmaps`)).toEqual(
        [one, two].sort(),
      )
    },
  },
  {
    title: 'a list in a missing namespace is empty',
    async run({ kube }) {
      const list = must(await kube.call('GET', '/api/v1/namespaces/not-there/pods'), 200)
      expect(list).toMatchObject({ kind: 'PodList', apiVersion: 'v1', items: [] })
    },
  },
  {
    title: 'a watch continues where a list ended, and reports no other namespace',
    async run(trial) {
      const path = await place(trial, { a: { x: '' } })
      const elsewhere = await place(trial, {})
      const list = must(await trial.kube.call('GET', path, { query: ownLabel }), 200)
      const events = watched(
        trial.kube,
        path,
        { resourceVersion: list.metadata.resourceVersion, ...ownLabel },
        (seen) => seen.length === 3,
      )
      must(await trial.kube.call('POST', elsewhere, { body: { metadata: { name: 'e', labels: { x: '' } } } }), 201)
      must(await trial.kube.call('POST', path, { body: { metadata: { name: 'b', labels: { x: '' } } } }), 201)
      must(
        await trial.kube.call('PATCH', `${path}/a`, {
          body: { data: { k: 'v' } },
          type: 'application/merge-patch+json',
        }),
        200,
      )
      must(await trial.kube.call('DELETE', `${path}/b`), 200)
      const changes = (await events).map(({ type, object }) => [type, object.metadata.name])
      expect(changes).toEqual([
        ['ADDED', 'b'],
        ['MODIFIED', 'a'],
        ['DELETED', 'b'],
      ])
    },
  },
  {
    title: 'an object that leaves the selection is reported as deleted, one that enters it as added',
    async run(trial) {
      const path = await place(trial, { a: { x: '1' }, b: { x: '2' } })
      const list = must(await trial.kube.call('GET', path), 200)
      const query = { resourceVersion: list.metadata.resourceVersion, labelSelector: 'x=1' }
      const events = watched(trial.kube, path, query, (seen) => seen.length === 2)
      const patch = (name: string, x: string) =>
        trial.kube.call('PATCH', `${path}/${name}`, {
          body: { metadata: { labels: { x } } },
          type: 'application/merge-patch+json',
        })
      const left = must(await patch('a', '3'), 200)
      must(await patch('b', '1'), 200)
      const [gone, come] = await events
      expect([gone.type, gone.object.metadata.name, come.type, come.object.metadata.name]).toEqual([
        'DELETED',
        'a',
        'ADDED',
        'b',
      ])
      // The last selected state of the object, with the version that removed it from the selection.
      expect(gone.object.metadata).toMatchObject({ labels: { x: '1' }, resourceVersion: left.metadata.resourceVersion })
    },
  },
  {
    title: 'a watch of a single object',
    async run(trial) {
      const path = await place(trial, { a: {}, b: {} })
      const list = must(await trial.kube.call('GET', path), 200)
      const query = { fieldSelector: 'metadata.name=b', resourceVersion: list.metadata.resourceVersion }
      const events = watched(trial.kube, path, query, () => true)
      must(await trial.kube.call('DELETE', `${path}/a`), 200)
      must(await trial.kube.call('DELETE', `${path}/b`), 200)
      expect((await events).map(({ type, object }) => [type, object.metadata.name])).toEqual([['DELETED', 'b']])
    },
  },
  {
    title: 'a watch from version 0 begins with the existing objects',
    async run(trial) {
      const path = await place(trial, { a: { x: '' }, b: { x: '' } })
      const events = await watched(trial.kube, path, { resourceVersion: '0', ...ownLabel }, (seen) => seen.length === 2)
      expect(events.map(({ type, object }) => [type, object.metadata.name]).sort()).toEqual([
        ['ADDED', 'a'],
        ['ADDED', 'b'],
      ])
    },
  },
  {
    title: 'a watch that requests initial events gets a bookmark after them',
    async run(trial) {
      const path = await place(trial, { a: { x: '' } })
      const query = {
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: true,
        ...ownLabel,
      }
      const events = await watched(trial.kube, path, query, (seen) => seen.at(-1)?.type === 'BOOKMARK')
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK'])
      expect(events[1]).toMatchObject({
        object: {
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: {
            resourceVersion: expect.stringMatching(/^\d+$/),
            annotations: { 'k8s.io/initial-events-end': 'true' },
          },
        },
      })
    },
  },
  {
    title: 'a watch from a forgotten version reports that inside the stream',
    async run(trial) {
      const path = await place(trial, {})
      const [event] = await watched(trial.kube, path, { resourceVersion: '1' }, () => true)
      expect(event).toMatchObject({
        type: 'ERROR',
        object: { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 },
      })
      expect(event.object.message).toMatch(/^too old resource version: 1 \(\d+\)$/)
    },
  },
  {
    title: 'a watch ends at its timeout',
    async run(trial) {
      const path = await place(trial, {})
      const events = await watched(trial.kube, path, { timeoutSeconds: 1, allowWatchBookmarks: true }, () => false)
      expect(events.every(({ type }) => type === 'ADDED' || type === 'BOOKMARK')).toBe(true)
    },
  },
  {
    title: 'a generated name',
    async run({ kube, at }) {
      const made = must(
        await kube.call('POST', at('v1', 'configmaps'), { body: { metadata: { generateName: 'made-' } } }),
        201,
      )
      expect(made.metadata).toMatchObject({ name: expect.stringMatching(/^made-[a-z0-9]{5}$/), generateName: 'made-' })
    },
  },
  {
    title: 'a finalizer delays a deletion',
    async run({ kube, at, name }) {
      const metadata = { name: name('held'), finalizers: ['contract/held'] }
      must(await kube.call('POST', at('v1', 'configmaps'), { body: { metadata } }), 201)
      const path = at('v1', 'configmaps', metadata.name)
      const deleted = must(await kube.call('DELETE', path), 200)
      expect(deleted.metadata).toMatchObject({
        deletionTimestamp: expect.any(String),
        deletionGracePeriodSeconds: 0,
        finalizers: ['contract/held'],
      })
      const merge = { type: 'application/merge-patch+json' }
      const added = await kube.call('PATCH', path, {
        body: { metadata: { finalizers: ['contract/held', 'contract/more'] } },
        ...merge,
      })
      expect(added.body).toMatchObject({ code: 422, reason: 'Invalid' })
      expect(added.body.message).toContain(
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted',
      )
      must(await kube.call('PATCH', path, { body: { metadata: { finalizers: null } }, ...merge }), 200)
      must(await kube.call('GET', path), 404)
    },
  },
  {
    title: 'the Status of a deletion',
    async run({ kube, at, name }) {
      const metadata = { name: name('deleted') }
      const made = must(await kube.call('POST', at('v1', 'configmaps'), { body: { metadata } }), 201)
      expect(must(await kube.call('DELETE', at('v1', 'configmaps', metadata.name)), 200)).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: metadata.name, kind: 'configmaps', uid: made.metadata.uid },
      })
    },
  },
  {
    title: 'the generation counts changes of the spec, not of labels',
    async run({ kube, at, name }) {
      const metadata = { name: name('counted') }
      const body = { metadata, spec: { podSelector: {} } }
      const made = must(await kube.call('POST', at('networking.k8s.io/v1', 'networkpolicies'), { body }), 201)
      const path = at('networking.k8s.io/v1', 'networkpolicies', metadata.name)
      const patch = (change: object) => kube.call('PATCH', path, { body: change, type: 'application/merge-patch+json' })
      const labelled = must(await patch({ metadata: { labels: { a: 'b' } } }), 200)
      const changed = must(await patch({ spec: { policyTypes: ['Egress'] } }), 200)
      const same = must(await patch({ spec: { policyTypes: ['Egress'] } }), 200)
      expect([made, labelled, changed, same].map((one) => one.metadata.generation)).toEqual([1, 1, 2, 2])
      expect(same.metadata.resourceVersion).toBe(changed.metadata.resourceVersion)
    },
  },
]
