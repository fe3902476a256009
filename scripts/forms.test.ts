import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../apps/console/src')

/** Placeholders that people take for values, because they do not say that they are examples. */
const disguised = (text: string): string[] =>
  [...text.matchAll(/placeholder="([^"]*)"/g)].map(([, words = '']) => words)

test('every placeholder of the console says that it is an example, or what to do', () => {
  const files = globSync('{shell,domains,ui}/**/*.tsx', { cwd: source })
  expect(files.length).toBeGreaterThan(200)
  expect(
    files.flatMap((file) => disguised(readFileSync(join(source, file), 'utf8')).map((words) => `${file}: ${words}`)),
  ).toEqual([])
})

test('a placeholder that looks like a value is found', () => {
  expect(disguised(`<Input placeholder="main" /><Input placeholder={example('main')} />`)).toEqual(['main'])
})
