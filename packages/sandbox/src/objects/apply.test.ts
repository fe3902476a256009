import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyConfiguration } from './apply.ts'
import { kindOf } from './kinds.ts'
import { sameValue } from './record.ts'
import type { Obj } from './types.ts'

const kind = kindOf('deployments.apps')
const time = '2026-01-01T00:00:00Z'

const apply = (live: Obj | undefined, given: Record<string, unknown>, manager = 'gantry'): Obj => {
  const { object, entries } = applyConfiguration(kind, live, given, { manager, force: true, time })
  return { ...object, metadata: { ...object.metadata, managedFields: entries } }
}

const name = fc.constantFrom('a', 'b', 'c')
const word = fc.constantFrom('1', '2', 'x')
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined })
const list = <T>(item: fc.Arbitrary<T>, key: (item: T) => unknown): fc.Arbitrary<T[] | undefined> =>
  optional(fc.uniqueArray(item, { selector: key, minLength: 1, maxLength: 3 }))

const defined = <T extends object>(record: T): Partial<T> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Partial<T>
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(model).map((one) => defined(one as T & object) as Partial<T>)
const labels = optional(fc.dictionary(name, word, { minKeys: 1, maxKeys: 3 }))

const container = record({
  name: name as fc.Arbitrary<string | undefined>,
  image: optional(word),
  command: optional(fc.array(word, { minLength: 1, maxLength: 2 })),
  env: list(record({ name, value: optional(word) }), (one) => one.name),
  ports: list(
    record({ containerPort: fc.constantFrom(80, 81), protocol: fc.constantFrom('TCP', 'UDP'), name: optional(name) }),
    (one) => `${one.containerPort}/${one.protocol}`,
  ),
  volumeMounts: list(record({ mountPath: name, name }), (one) => one.mountPath),
  readinessProbe: optional(
    record({
      periodSeconds: optional(fc.constantFrom(1, 2)),
      httpGet: optional(record({ path: word, port: fc.constant(80) })),
    }),
  ),
})

/** A partial deployment as a user writes it, with every shape that apply supports. */
const configuration = fc
  .record({
    labels,
    annotations: labels,
    replicas: optional(fc.nat(3)),
    containers: list(container, (one) => one.name),
    selector: labels,
  })
  .map((one) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', ...defined({ labels: one.labels, annotations: one.annotations }) },
    spec: {
      ...defined({ replicas: one.replicas, selector: one.selector && { matchLabels: one.selector } }),
      ...(one.containers ? { template: { spec: { containers: one.containers } } } : {}),
    },
  }))

/** The content of an object without its managers; empty parts are removed. */
const said = (object: unknown): unknown => {
  const { metadata, ...rest } = object as Obj
  const { managedFields: _, ...meta } = metadata
  return pruned({ ...rest, metadata: meta })
}
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(pruned)
    // Keyed lists are compared as sets, because their order does not matter.
    return items.every((item) => typeof item === 'object') ? items.map((item) => JSON.stringify(item)).sort() : items
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .map(([key, one]): [string, unknown] => [key, pruned(one)])
    .filter(([, one]) => !(typeof one === 'object' && one !== null && Object.keys(one).length === 0))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries)
}

describe('server-side apply', () => {
  test('applying twice equals applying once', () => {
    fc.assert(
      fc.property(configuration, configuration, (before, after) => {
        const once = apply(apply(undefined, before), after)
        expect(sameValue(apply(once, after), once)).toBe(true)
      }),
    )
  })

  test('an object with one manager equals the manager’s last configuration', () => {
    fc.assert(
      fc.property(configuration, configuration, (before, after) => {
        expect(said(apply(apply(undefined, before), after))).toEqual(said(after))
      }),
    )
  })

  test('values of another manager stay, and are removed when that manager drops them', () => {
    fc.assert(
      fc.property(configuration, configuration, (mine, other) => {
        const both = apply(apply(undefined, mine), other, 'other')
        const bare = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } }
        expect(said(apply(both, bare))).toEqual(said(apply(undefined, other, 'other')))
        expect(said(apply(apply(both, bare), bare, 'other'))).toEqual(said(bare))
      }),
    )
  })

  test('modifies neither argument', () => {
    fc.assert(
      fc.property(configuration, configuration, (before, after) => {
        const live = apply(undefined, before)
        const [liveText, afterText] = [JSON.stringify(live), JSON.stringify(after)]
        apply(live, after)
        expect([JSON.stringify(live), JSON.stringify(after)]).toEqual([liveText, afterText])
      }),
    )
  })
})
