import { globSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

test('No folder of sources holds more than twenty files', () => {
  const sources = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root })
  const production = sources.filter((file) => !/\.(test|gen|d)\.tsx?$/.test(file))
  expect(production.length).toBeGreaterThan(1_000)
  const rooms = Map.groupBy(production, dirname)
  expect([...rooms].filter(([, files]) => files.length > 20).map(([room, { length }]) => `${room}: ${length}`)).toEqual(
    [],
  )
})
