import { expect, test } from 'vitest'
import { differences } from './differences.ts'

const wanted = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { team: '1' } },
  spec: {
    replicas: 2,
    template: {
      spec: {
        containers: [
          {
            name: 'web',
            image: 'web:1',
            args: ['a', 'b'],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            resources: { limits: { cpu: '0.5' } },
          },
        ],
      },
    },
  },
}
const env = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`k:{"name":"${name}"}`, { '.': {}, 'f:name': {}, 'f:value': {} }]))
const fields = (replicas: object, container: object) => ({
  'f:metadata': { 'f:labels': { 'f:team': {} } },
  'f:spec': { ...replicas, 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': container } } } },
})
const all = { '.': {}, 'f:name': {}, 'f:image': {}, 'f:args': {}, 'f:resources': { 'f:limits': { 'f:cpu': {} } } }
const own = (replicas: object, container: object) => ({
  manager: 'gantry',
  operation: 'Apply',
  time: '2026-01-01T00:00:00Z',
  fieldsV1: fields(replicas, container),
})
const by = (fieldsV1: object) => ({
  manager: 'kubectl-edit',
  operation: 'Update',
  time: '2026-01-02T00:00:00Z',
  fieldsV1,
})
const liveOf = (change: (live: typeof wanted) => void, ...managedFields: object[]) => {
  const live = structuredClone(wanted)
  change(live)
  return { ...live, metadata: { ...live.metadata, managedFields } }
}
const found = (live: object) =>
  differences(wanted, live).map(({ path, wanted: before, live: now, by: who }) => [path.join('.'), before, now, who])

test('what the cluster fills in, writes differently or notes for itself is no difference', () => {
  const live = liveOf(
    ({ spec }) => {
      const [container] = spec.template.spec.containers
      if (container) container.resources.limits.cpu = '500m'
      Object.assign(spec, { revisionHistoryLimit: 10 })
    },
    own({ 'f:replicas': {} }, { ...all, 'f:env': env('A', 'B') }),
  )
  expect(found(live)).toEqual([])
})

test('what an older release applied differently is no change of others', () => {
  const live = liveOf(
    ({ spec }) => {
      spec.replicas = 3
      spec.template.spec.containers[0]?.env.pop()
    },
    own({ 'f:replicas': {} }, { ...all, 'f:env': env('A') }),
  )
  expect(found(live)).toEqual([])
})

test('changes, additions and removals of others are reported by field, with the author', () => {
  const live = liveOf(
    ({ spec }) => {
      spec.replicas = 5
      const [container] = spec.template.spec.containers
      if (!container) return
      container.args = ['b']
      container.env = [
        { name: 'A', value: '1' },
        { name: 'C', value: '3' },
      ]
      Object.assign(spec.template.spec, { hostNetwork: true })
    },
    own({}, { ...all, 'f:args': undefined, 'f:env': env('A') }),
    by({
      'f:spec': {
        'f:replicas': {},
        'f:template': {
          'f:spec': {
            'f:containers': { 'k:{"name":"web"}': { 'f:args': {}, 'f:env': env('C') } },
            'f:hostNetwork': {},
          },
        },
      },
    }),
  )
  expect(found(live)).toEqual([
    ['spec.replicas', 2, 5, 'kubectl-edit'],
    ['spec.template.spec.containers.[web].args', ['a', 'b'], ['b'], 'kubectl-edit'],
    ['spec.template.spec.containers.[web].env.[B]', { name: 'B', value: '2' }, undefined, 'kubectl-edit'],
    ['spec.template.spec.containers.[web].env.[C]', undefined, { name: 'C', value: '3' }, 'kubectl-edit'],
    ['spec.template.spec.hostNetwork', undefined, true, 'kubectl-edit'],
  ])
})

test('any answer of a cluster is handled', () => {
  for (const managedFields of [
    [{}],
    [{ manager: 'gantry', operation: 'Apply', fieldsV1: 'x' }],
    [by({ 'f:spec': null })],
  ])
    expect(() => differences(wanted, { ...wanted, spec: 7, metadata: { managedFields } } as object)).not.toThrow()
})
