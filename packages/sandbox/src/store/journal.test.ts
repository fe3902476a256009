import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConfigMap } from '../objects/types.ts'
import { newMeta, openStore, type Store } from './store.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'))
  path = join(folder, 'objects.journal')
})
afterEach(() => rmSync(folder, { recursive: true }))

const map = (name: string, value: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'n', ...newMeta(0) },
  data: { value },
})

/** The readable state: the values by name, and the version. */
const seen = (store: Store): unknown => ({
  version: store.version(),
  values: Object.fromEntries(store.list('configmaps').map(({ metadata, data }) => [metadata.name, data?.['value']])),
})

/** Makes a few writes, and answers the state and the journal's size after each. */
function write(store: Store): { size: number; state: unknown }[] {
  const steps: (() => void)[] = [
    () => store.put('configmaps', map('a', '1')),
    () => store.put('configmaps', map('b', 'ä — 漢字')),
    () => store.put('configmaps', map('a', '2\n3')),
    () => store.remove('configmaps', 'n', 'b'),
    () => store.put('configmaps', map('c', '4')),
  ]
  return steps.map((step) => {
    step()
    return { size: statSync(path).size, state: seen(store) }
  })
}

describe('a journal', () => {
  test('cut at any byte, keeps all writes that were answered before it', () => {
    const first = openStore(path)
    const empty = { size: statSync(path).size, state: seen(first) }
    const answered = [empty, ...write(first)]
    first.close()
    const whole = readFileSync(path)
    for (let size = empty.size; size <= whole.length; size++) {
      writeFileSync(path, whole.subarray(0, size))
      const store = openStore(path)
      const last = answered.findLast((one) => one.size <= size)
      expect([size, seen(store)]).toEqual([size, last?.state])
      // And it can be written again.
      const { version } = seen(store) as { version: number }
      expect(store.put('configmaps', map('z', '')).metadata.resourceVersion).toBe(String(version + 1))
      store.close()
    }
  })

  test('cut within its first line, starts anew', () => {
    const first = openStore(path)
    write(first)
    first.close()
    truncateSync(path, 5)
    const store = openStore(path)
    expect(seen(store)).toMatchObject({ values: {} })
    store.close()
  })

  test('ends at a damaged line', () => {
    const first = openStore(path)
    const answered = write(first)
    first.close()
    const bytes = readFileSync(path)
    const at = (answered[2]?.size ?? 0) + 20
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const store = openStore(path)
    expect(seen(store)).toEqual(answered[2]?.state)
    store.close()
  })

  test('bytes of a torn write do not remain between later ones', () => {
    const first = openStore(path)
    const answered = write(first)
    first.close()
    appendFileSync(path, '1234abcd {"put":"configmaps","obj')
    const second = openStore(path)
    expect(seen(second)).toEqual(answered.at(-1)?.state)
    second.put('configmaps', map('d', '5'))
    const state = seen(second)
    second.close()
    const third = openStore(path)
    expect(seen(third)).toEqual(state)
    third.close()
  })

  test('compacted, keeps the same state in fewer bytes', () => {
    const first = openStore(path, { compactAt: 20_000 })
    let largest = 0
    for (let n = 0; n < 500; n++) {
      first.put('configmaps', map(`m${n % 5}`, String(n)))
      largest = Math.max(largest, statSync(path).size)
    }
    first.remove('configmaps', 'n', 'm0')
    const state = seen(first)
    first.close()
    expect(largest).toBeLessThan(25_000)
    const second = openStore(path)
    expect(seen(second)).toEqual(state)
    second.close()
  })
})

describe('history', () => {
  test('continues over a restart', () => {
    const first = openStore(path)
    const version = first.version() + 1
    write(first)
    const changes = first.since(version)
    first.close()
    expect(changes?.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['ADDED', 'b'],
      ['MODIFIED', 'a'],
      ['DELETED', 'b'],
      ['ADDED', 'c'],
    ])
    const second = openStore(path)
    expect(second.since(version)).toEqual(changes)
    expect(second.since(1)).toBeUndefined()
    second.close()
  })

  test('reports when it does not reach back far enough', () => {
    const store = openStore(path, { history: 10 })
    const start = store.version()
    for (let n = 0; n < 50; n++) store.put('configmaps', map('m', String(n)))
    expect(store.since(start)).toBeUndefined()
    expect(store.since(store.version() - 5)).toHaveLength(5)
    expect(store.since(store.version())).toEqual([])
    store.close()
  })
})
