import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowStore, same } from './rows.ts'
import type { Change } from './rows.ts'

interface Row {
  name: string
  value: number
}

function listening() {
  const changes: Change<Row>[] = []
  return { changes, store: rowStore<Row>((change) => changes.push(change)) }
}

const ref = (name: string, namespace = 'n') => ({ name, namespace })

test('reports added, changed and removed rows, and nothing for an equal row', () => {
  const { store, changes } = listening()
  store.put(ref('a'), 'u1', '1', { name: 'a', value: 1 })
  store.put(ref('a'), 'u1', '2', { name: 'a', value: 1 })
  store.put(ref('a'), 'u1', '3', { name: 'a', value: 2 })
  store.remove(ref('a'))
  store.remove(ref('a'))
  expect(changes).toEqual([
    { type: 'added', row: { name: 'a', value: 1 } },
    { type: 'changed', row: { name: 'a', value: 2 }, previous: { name: 'a', value: 1 } },
    { type: 'removed', row: { name: 'a', value: 2 }, previous: { name: 'a', value: 2 } },
  ])
  expect(store.size).toBe(0)
})

test('reports another object of the same name as one removal and one addition', () => {
  const { store, changes } = listening()
  store.put(ref('a'), 'u1', '1', { name: 'a', value: 1 })
  store.put(ref('a'), 'u2', '2', { name: 'a', value: 1 })
  expect(changes.map(({ type }) => type)).toEqual(['added', 'removed', 'added'])
})

test('a new list removes the rows that it does not contain, and skips unchanged ones', () => {
  const { store, changes } = listening()
  for (const name of ['a', 'b', 'c']) store.put(ref(name), name, '1', { name, value: 1 })
  changes.length = 0
  store.beginList()
  expect(store.seen(ref('a'), 'a', '1')).toBe(true)
  expect(store.seen(ref('b'), 'b', '2')).toBe(false)
  store.put(ref('b'), 'b', '2', { name: 'b', value: 2 })
  store.sweep()
  expect(changes.map(({ type, row }) => `${type} ${row.name}`)).toEqual(['changed b', 'removed c'])
  expect(store.inNamespace('n').map(({ name }) => name)).toEqual(['a', 'b'])
})

test('a kind with a cap drops its oldest rows, and says so while there may be older ones', () => {
  const changes: string[] = []
  const store = rowStore<Row>(({ type, row }) => changes.push(`${type} ${row.name}`), {
    most: 10,
    age: ({ name }) => name,
  })
  const put = (name: string) => store.put(ref(name, `n-${name}`), name, '1', { name, value: 1 })
  // in any order of time, as in a list
  for (const name of 'jbhdfaceig') put(name)
  expect([store.size, store.cut()]).toEqual([10, false])
  put('k')
  expect(changes.slice(-2)).toEqual(['added k', 'removed a'])
  expect([store.size, store.cut()]).toEqual([10, true])
  expect(store.all().map(({ name }) => name)).not.toContain('a')
  put('a')
  expect(changes.slice(-2)).toEqual(['added a', 'removed a'])
  store.remove(ref('b', 'n-b'))
  expect(store.cut()).toBe(false)
  store.clear()
  for (const name of 'abcdefghij') put(name)
  expect(store.cut()).toBe(false)
})

test('any order of puts and removals leaves the same as a plain map', () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const action = fc.record({
    put: fc.boolean(),
    namespace: fc.constantFrom('m', 'n'),
    name,
    uid: fc.constantFrom('1', '2'),
  })
  fc.assert(
    fc.property(fc.array(action), (actions) => {
      const { store, changes } = listening()
      const plain = new Map<string, Row>()
      actions.forEach(({ put, namespace, name, uid }, value) => {
        if (put) {
          store.put({ namespace, name }, uid, String(value), { name, value })
          plain.set(namespace + name, { name, value })
        } else {
          store.remove({ namespace, name })
          plain.delete(namespace + name)
        }
      })
      expect(store.size).toBe(plain.size)
      expect(new Set(store.all())).toEqual(new Set(plain.values()))
      for (const namespace of ['m', 'n'])
        for (const row of store.inNamespace(namespace)) expect(plain.get(namespace + row.name)).toEqual(row)
      const balance = changes.reduce((sum, { type }) => sum + (type === 'added' ? 1 : type === 'removed' ? -1 : 0), 0)
      expect(balance).toBe(store.size)
    }),
  )
})

test('plain data is compared by content', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(same(value, structuredClone(value))).toBe(true)
      expect(same({ value }, { value: [value] })).toBe(false)
    }),
  )
  expect(same([], {})).toBe(false)
  expect(same({ a: undefined }, { b: undefined })).toBe(false)
  expect(same([1], [1, 2])).toBe(false)
})
