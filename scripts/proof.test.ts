import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** docs/proof lists, for each attack and fault, the tests that prove the promise, one line each: - `file`: title. */
const root = resolve(import.meta.dirname, '..')
const sections = globSync('docs/proof/*.md', { cwd: root })
  .flatMap((file) => readFileSync(join(root, file), 'utf8').split(/^## /m).slice(1))
  .map((section) => ({
    title: section.split('\n')[0],
    proofs: [...section.matchAll(/^- `([^`]+\.tsx?)`: (.+)$/gm)].map(([, file = '', test = '']) => ({ file, test })),
  }))

test('every section of the proofs names a test', () => {
  expect(sections.length).toBeGreaterThan(0)
  expect(sections.filter(({ proofs }) => proofs.length === 0)).toEqual([])
})

test('every proof names an existing file and title', () => {
  const missing = sections
    .flatMap(({ proofs }) => proofs)
    .filter(({ file, test: title }) => {
      const path = join(root, file)
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(title)
    })
  expect(missing).toEqual([])
})
