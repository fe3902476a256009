import { expect, test } from 'vitest'
import { agreement } from './finding.ts'

test.for<[version: string, tag: string, parts: number]>([
  ['20.11', '20', 1],
  ['20.11', '20-alpine', 1],
  ['20.11', '20.11.1-bookworm', 2],
  ['20.11', '20.9', 0],
  ['20', '20.11.1', 1],
  ['3.1', '3.12', 0],
  ['3.12', '3.12-slim', 2],
  ['2', '22', 0],
  ['8.0', 'v8.0', 2],
  ['22', 'latest', 0],
  ['22', '', 0],
  ['', '22', 0],
])('version %s and an image tagged %s agree in %i parts', ([version, tag, parts]) =>
  expect(agreement(version, tag)).toBe(parts),
)
