import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** Tests wait for events with `eventually`, never for a fixed time: the machine is slow and shared. */
const root = resolve(import.meta.dirname, '..')
const files = globSync(['{apps,packages}/**/*.test.{ts,tsx}', 'e2e/**/*.{test,e2e}.ts'], {
  cwd: root,
  exclude: ['**/node_modules'],
})

const refused = [
  /\bvi\.wait(For|Until)\b/,
  // a sleep of a fixed length, which also covers hand-written loops around one
  /\bawait (sleep|delay|setTimeout)\(/,
  /\bnew Promise(<\w+>)?\(\((\w+)\) => setTimeout\(\2, (?!0\))/,
  /\bwaitForTimeout\(/,
]

/** These pause on purpose: to pace work beside the test, or to see that an action has no effect. */
const pausing = new Set([
  'apps/launcher/src/product.full.test.ts',
  'apps/server/src/adapters/kube/kube.cluster.test.ts',
  'apps/server/src/domains/stacks/files/files.cluster.test.ts',
  'apps/server/src/kernel/events/events.test.ts',
  'apps/server/src/kernel/reconcile.test.ts',
  'e2e/faults.full.test.ts',
])

const waitsForTime = (text: string): boolean => refused.some((pattern) => pattern.test(text))

test('no test waits for a time', () => {
  expect(files.length).toBeGreaterThan(400)
  const found = files.filter((file) => waitsForTime(readFileSync(join(root, file), 'utf8')))
  expect(found.toSorted()).toEqual([...pausing].toSorted())
})

test.each([
  'await vi.waitFor(() => expect(seen).toEqual([1]))',
  'while (!there()) await sleep(50)',
  'await new Promise((resolve) => setTimeout(resolve, 200))',
  'await page.waitForTimeout(500)',
])('finds %s', (text) => expect(waitsForTime(text)).toBe(true))

test('does not report a turn of the event loop, nor eventually', () => {
  expect(waitsForTime('await new Promise<void>((resolve) => setTimeout(resolve, 0))')).toBe(false)
  expect(waitsForTime('await eventually(() => expect(seen).toEqual([1]))')).toBe(false)
})
