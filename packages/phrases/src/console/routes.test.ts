import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { en } from './routes.en.ts'

test('every route of the console has a title', async () => {
  const { paths } = (await import(join(import.meta.dirname, '../../../../apps/console/src/paths.gen.ts'))) as {
    paths: Record<string, string>
  }
  const missing = Object.keys(paths).filter((name) => !(`route-${name}` in en))
  expect(missing).toEqual([])
})

test('every entry of the menu has a title', async () => {
  const menu = await readFile(join(import.meta.dirname, '../../../../apps/console/src/shell/bars/menu.ts'), 'utf8')
  const entries = [...menu.matchAll(/route: '([\w-]+)'/g)].map((found) => `route-${found[1] ?? ''}`)
  expect(entries.length).toBeGreaterThan(30)
  expect(entries.filter((key) => !(key in en))).toEqual([])
})
