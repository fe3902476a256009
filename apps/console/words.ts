import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { en } from '@gantry/phrases/en.gen'
import { zh } from '@gantry/phrases/zh.gen'

/**
 * The phrases that each part of the console may show: `base` is for the login and every screen, `nouns` are the names
 * of objects in toasts, and the others are the screens, by their file. They are found in the sources of each part, so
 * that nobody has to list them; the server's own texts are in none.
 */
const source = join(import.meta.dirname, 'src')
const packages = resolve(import.meta.dirname, '../../packages')
const languages: Record<string, Readonly<Record<string, string>>> = { en, zh }
const keys = Object.keys(en)

/** Whether a file declares screens, whose imports belong to the screens. */
const isRoutes = (file: string): boolean => /domains\/[\w-]+\/routes\.tsx$/.test(file)

const inside = (file: string, path: string): string | undefined => {
  if (path.startsWith('.') && /\.tsx?$/.test(path)) return resolve(dirname(file), path)
  // these modules refer to texts by keys
  const [, from, name] = /^@gantry\/(contract|tosca)\/(.+)$/.exec(path) ?? []
  return from === undefined ? undefined : join(packages, from, `src/${name}.ts`)
}

const imports = (file: string, text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, path = '']) => inside(file, path) ?? [])
const eager = /(?:from|import) '([^']+)'/g
const lazy = /import\('([^']+)'\)/g
/** Parts that are loaded with their own texts outside of a `routes.tsx`: the part's name, and its file. */
const apart = /withWords\('([\w/-]+)', \(\) => import\('([^']+)'\)/g

/**
 * The code of a file without comments, which may name unused keys, and without type imports, which load nothing. A
 * comment must begin its line: elsewhere `/*` is part of a text, such as a pattern of branches.
 */
export const codeOf = (text: string): string =>
  text.replaceAll(/^[ \t]*\{?\/\*[^]*?\*\/|^(?:import type|export type \{)[^']*'[^']+'$/gm, '')

const read = (file: string): string => codeOf(readFileSync(file, 'utf8'))

/** The page of all components, which is not in any build with divided phrases. */
const isWorkshop = (file: string): boolean => file.startsWith(join(source, 'dev'))

/** All files that these import, except the screens of `routes.tsx`, and parts with their own texts. */
function reach(files: readonly string[], reached = new Set<string>()): Set<string> {
  for (const file of files) {
    if (reached.has(file) || isWorkshop(file)) continue
    reached.add(file)
    const text = read(file)
    const shared = isRoutes(file) ? [] : imports(file, text.replaceAll(apart, ''), lazy)
    reach([...imports(file, text, eager), ...shared], reached)
  }
  return reached
}

/** The keys that code names completely, or by a prefix: `state-${name}`, 'audit-action-'. */
export function keysIn(text: string): string[] {
  const whole = new Set([...text.matchAll(/['"`]([a-z][\w.-]*)['"`]/gi)].map(([, key]) => key))
  const beginnings = [
    ...[...text.matchAll(/`([a-z][\w.-]*[-.])\$\{/gi)].map(([, start = '']) => start),
    ...[...whole].filter((key) => key !== undefined && /[-.]$/.test(key)),
  ] as string[]
  return keys.filter((key) => whole.has(key) || beginnings.some((start) => key.startsWith(start)))
}

const spoken = (files: Iterable<string>): Set<string> => new Set([...files].flatMap((file) => keysIn(read(file))))

const without = (known: Set<string>, all: Set<string>): Set<string> =>
  new Set([...all].filter((one) => !known.has(one)))

const partOf = (page: string): string => relative(join(source, 'domains'), page).replace(/\.tsx$/, '')

/** The sources and the keys of each part. */
function findParts(): Map<string, { files: Set<string>; keys: Set<string> }> {
  // The login is the very first screen, and nearly every other one has a list or a form.
  const first = ['main.ts', 'domains/auth/login-page.tsx', 'ui/table/list-page.tsx', 'ui/form/form.tsx']
  const base = reach(first.map((file) => join(source, file)))
  const spokenFirst = spoken(base)
  const nouns = new Set([...spokenFirst].filter((key) => key.startsWith('noun-')))
  const common = without(nouns, spokenFirst)
  const named = new Map([
    ['base', { files: base, keys: common }],
    ['nouns', { files: new Set<string>(), keys: nouns }],
  ])
  const add = (name: string, page: string) => {
    const files = without(base, reach([page]))
    named.set(name, { files, keys: without(common, spoken(files)) })
  }
  for (const routes of globSync('domains/*/routes.tsx', { cwd: source })) {
    const file = join(source, routes)
    for (const page of imports(file, read(file), lazy)) {
      if (!base.has(page)) add(partOf(page), page)
    }
  }
  for (const file of [...named.values()].flatMap(({ files }) => [...files]))
    for (const [, name = '', path = ''] of read(file).matchAll(apart))
      if (!named.has(name)) add(name, inside(file, path) ?? '')
  return named
}

let found: ReturnType<typeof findParts> | undefined
export const parts = () => (found ??= findParts())

/** The files of the console that belong to no part, as paths from `src`. */
export const unreached = (): string[] => {
  const reached = new Set([...parts().values()].flatMap(({ files }) => [...files]))
  return globSync('**/*.{ts,tsx}', { cwd: source })
    .filter((file) => !/\.test\.tsx?$|^dev\/|\.d\.ts$/.test(file) && !reached.has(join(source, file)))
    .map((file) => relative(source, join(source, file)))
}

/** The module with one part's texts in one language. */
export const wordsModule = (language: string, part: string): string => {
  const texts = languages[language] ?? {}
  const own = [...(parts().get(part)?.keys ?? [])].map((key) => [key, texts[key]])
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(own)))})`
}

/** A file of routes whose screens load with their texts; those of the very first screen are in `base`. */
export const withWords = (code: string, id: string): string =>
  `import { withWords } from '../../api/language.ts'; ${code.replaceAll(lazy, (load, path: string) => {
    const part = partOf(inside(id, path) ?? '')
    return parts().has(part) ? `withWords('${part}', () => ${load})` : load
  })}`

/** The replacement of `api/words.ts` in a build: it loads each part separately. */
export const loaderModule = (): string => {
  const named = [...parts().keys()]
  const of = (language: string) =>
    `{${named.map((part) => `'${part}': () => import('gantry-words/${language}/${part}')`).join(',')}}`
  return `const parts = { en: ${of('en')}, zh: ${of('zh')} }
export const loadWords = async (language, part) => (await parts[language][part]?.())?.default ?? {}`
}
