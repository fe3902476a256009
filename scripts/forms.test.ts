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

/** Selectors that take typing, as all of several values do, but look for it in the values and not in what is read. */
const searchedByValue = (text: string): string[] =>
  [...text.matchAll(/<Select\b[^<]*?\bmode="multiple"[^<]*?label: (?!value\b|name\b|one\.)[^<]*?\/>/g)]
    .map(([selector]) => selector)
    .filter((selector) => !/optionFilterProp|filterOption/.test(selector))

test('a selector of several values finds them by what is read', () => {
  const files = globSync('{shell,domains,ui}/**/*.tsx', { cwd: source })
  expect(files.filter((file) => searchedByValue(readFileSync(join(source, file), 'utf8')).length > 0)).toEqual([])
  const options = 'options={days.map((value) => ({ value, label: t(value) }))} />'
  expect(searchedByValue(`<Select mode="multiple" ${options}`)).toHaveLength(1)
  expect(searchedByValue(`<Select mode="multiple" showSearch={{ optionFilterProp: 'label' }} ${options}`)).toEqual([])
})
