import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** docs/proof.md names, for each attack and fault, the tests that prove what is promised: `file`: title. */
const root = resolve(import.meta.dirname, '..')
const rows = readFileSync(join(root, 'docs/proof.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|') && line.includes('`'))

const proofs = rows.flatMap((row) =>
  [...row.matchAll(/`([^`]+\.ts)`: ([^|;]+)/g)].map(([, file = '', title = '']) => ({ file, title: title.trim() })),
)

test('every row of the proofs names a test', () => {
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter((row) => !/`[^`]+\.ts`: [^|;]+/.test(row))).toEqual([])
})

test('every proof that is named is there, under its title', () => {
  const missing = proofs.filter(({ file, title }) => {
    const path = join(root, file)
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(title)
  })
  expect(missing).toEqual([])
})
