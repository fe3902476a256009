import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../apps/console/src')

/** Placeholders that look like values, because they do not say that they are examples. */
const disguised = (text: string): string[] =>
  [...text.matchAll(/placeholder="([^"]*)"/g)].map(([, words = '']) => words)

test('every placeholder of the console says that it is an example, or what to do', () => {
  const files = globSync('{shell,domains,ui}/**/*.tsx', { cwd: source })
  expect(files.length).toBeGreaterThan(200)
  expect(
    files.flatMap((file) => disguised(readFileSync(join(source, file), 'utf8')).map((words) => `${file}: ${words}`)),
  ).toEqual([])
})

test('finds a placeholder that looks like a value', () => {
  expect(disguised(`<Input placeholder="main" /><Input placeholder={example('main')} />`)).toEqual(['main'])
})

/** Select fields for several values that allow typing, but search the values instead of the displayed texts. */
const searchedByValue = (text: string): string[] =>
  [...text.matchAll(/<Select\b[^<]*?\bmode="multiple"[^<]*?label: (?!value\b|name\b|one\.)[^<]*?\/>/g)]
    .map(([selector]) => selector)
    .filter((selector) => !/optionFilterProp|filterOption/.test(selector))

test('a select field for several values searches the displayed texts', () => {
  const files = globSync('{shell,domains,ui}/**/*.tsx', { cwd: source })
  expect(files.filter((file) => searchedByValue(readFileSync(join(source, file), 'utf8')).length > 0)).toEqual([])
  const options = 'options={days.map((value) => ({ value, label: t(value) }))} />'
  expect(searchedByValue(`<Select mode="multiple" ${options}`)).toHaveLength(1)
  expect(searchedByValue(`<Select mode="multiple" showSearch={{ optionFilterProp: 'label' }} ${options}`)).toEqual([])
})
