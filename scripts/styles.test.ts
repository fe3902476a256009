import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../apps/console/src')

/** Texts by their path in the console. */
type Files = Record<string, string>
const read = (pattern: string): Files =>
  Object.fromEntries(
    globSync(pattern, { cwd: source }).map((file) => [file, readFileSync(join(source, file), 'utf8')] as const),
  )

const isModule = (file: string) => file.endsWith('.module.css')
const selectors = (sheet: string): string[] =>
  [...sheet.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g)].map(([, selector = '']) => selector.trim())

/** The classes that a room's sheet defines, without those of the kit and of libraries. */
const ownClasses = (sheet: string): Set<string> =>
  new Set(
    selectors(sheet).flatMap((selector) =>
      [...selector.replaceAll(/:global\([^)]*\)/g, '').matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name),
    ),
  )

/** Mismatches between a page and the sheet of its room. */
function misfits(files: Files, sheets: Files): string[] {
  const found: string[] = []
  const used = new Map<string, Set<string>>()
  for (const [file, text] of Object.entries(files)) {
    const [, said = ''] = /^import styles from '(.*\.module\.css)'$/m.exec(text) ?? []
    if (said === '') continue
    const sheet = normalize(join(dirname(file), said))
    if (dirname(sheet) !== dirname(file)) found.push(`${file} takes ${sheet}, which is another room's`)
    const names = used.get(sheet) ?? new Set()
    used.set(sheet, names)
    for (const [, name = ''] of text.matchAll(/\bstyles\.(\w+)/g)) {
      names.add(name)
      if (!ownClasses(sheets[sheet] ?? '').has(name)) found.push(`${file}: ${sheet} has no .${name}`)
    }
  }
  for (const [sheet, text] of Object.entries(sheets))
    for (const name of ownClasses(text)) if (!used.get(sheet)?.has(name)) found.push(`${sheet}: nobody uses .${name}`)
  return found
}

/** Removes the arguments of `:is()`, `:not()` and `:has()`. */
function withoutConditions(selector: string): string {
  const less = selector.replaceAll(/\([^()]*\)/g, '')
  return less === selector ? less : withoutConditions(less)
}

/** Classes for which several of these global sheets have a rule. */
function doubles(sheets: Files): string[] {
  const homes = new Map<string, Set<string>>()
  for (const [sheet, text] of Object.entries(sheets))
    for (const selector of selectors(text))
      for (const [, name = ''] of withoutConditions(selector).matchAll(/(?:^|,\s*)\.([a-z][\w-]*)(?=\s*(?:,|$))/g))
        homes.set(name, (homes.get(name) ?? new Set()).add(sheet))
  return [...homes].filter(([, where]) => where.size > 1).map(([name, where]) => `.${name}: ${[...where].join(', ')}`)
}

const sheets = read('**/*.css')
const only = (wanted: (file: string) => boolean): Files =>
  Object.fromEntries(Object.entries(sheets).filter(([file]) => wanted(file)))

const globalOutsideKit = (files: string[]): string[] =>
  files.filter((file) => !isModule(file) && !file.startsWith('ui/'))

test('only the kit has classes that apply to every page', () => {
  expect(Object.keys(only((file) => !isModule(file))).length).toBeGreaterThan(10)
  expect(globalOutsideKit(Object.keys(sheets))).toEqual([])
})

test('finds a sheet of a room that applies to every page', () => {
  const planted = ['ui/page.css', 'shell/bar.module.css', 'domains/a/a.css']
  expect(globalOutsideKit(planted)).toEqual(['domains/a/a.css'])
})

test('each class of the kit has its rules in one sheet', () => {
  expect(doubles(only((file) => !isModule(file)))).toEqual([])
})

test('finds a class with rules in two sheets of the kit', () => {
  const planted = {
    'ui/basics.css': '.g-name:hover { color: red } .g-row, .g-name { width: 1px }',
    'ui/page.css': '/* .g-row */ .g-page .g-row { width: 2px } @media (width < 1px) { .g-name { width: 2px } }',
  }
  expect(doubles(planted)).toEqual(['.g-name: ui/basics.css, ui/page.css'])
})

test('a page and the sheet of its room name the same classes', () => {
  const modules = only(isModule)
  expect(Object.values(modules).flatMap((text) => [...ownClasses(text)]).length).toBeGreaterThan(300)
  expect(misfits(read('**/*.{ts,tsx}'), modules)).toEqual([])
})

test('finds an undefined class, an unused one and a sheet of another room', () => {
  const planted = {
    'domains/a/page.tsx': "import styles from './a.module.css'\nconst here = [styles.there, styles.missing]",
    'domains/b/page.tsx': "import styles from '../a/a.module.css'\nconst here = styles.there",
  }
  const sheet =
    '/* .old */ .there:hover :global(.g-row) { width: 0.5px } @media (width < 1px) { .unused { width: 1px } }'
  expect(misfits(planted, { 'domains/a/a.module.css': sheet })).toEqual([
    'domains/a/page.tsx: domains/a/a.module.css has no .missing',
    "domains/b/page.tsx takes domains/a/a.module.css, which is another room's",
    'domains/a/a.module.css: nobody uses .unused',
  ])
})
