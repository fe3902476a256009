import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describeTables } from '../apps/server/src/db/introspect.ts'
import { allPermissions } from '../apps/server/src/domains/auth/public.ts'
import { startTemplate } from '../apps/server/test/database.ts'
import { definitionPages } from './gen-definition.ts'
import { routeFiles } from './gen-routes.ts'

/**
 * Makes the files that only repeat what others say: the phrase keys, the permissions of all calls, the manual's reference
 * of a definition, the console's routes and the database's types. With --check it writes nothing and fails where one is not up to date. A name narrows
 * it: `npm run gen -- phrases`.
 */
const root = join(import.meta.dirname, '..')
const phrases = join(root, 'packages/phrases/src')

/** A domain's phrases: `<domain>/en.ts`, and `<domain>/<part>.en.ts` where one file would be too long. Each has its `zh`. */
interface Phrases {
  name: string
  file: (lang: 'en' | 'zh') => string
}

const camel = (...words: string[]): string =>
  words.join('-').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

async function phraseSources(): Promise<Phrases[]> {
  const found = (await readdir(phrases, { recursive: true }))
    .sort()
    .map((path) => /^([\w-]+)[/\\](?:([\w-]+)\.)?en\.ts$/.exec(path))
  return found.flatMap((match) => {
    if (!match) return []
    const [, domain = '', part] = match
    const prefix = part === undefined ? '' : `${part}.`
    return {
      name: camel(domain, ...(part === undefined ? [] : [part])),
      file: (lang) => `./${domain}/${prefix}${lang}.ts`,
    }
  })
}

/** Spread into one object, the later of two equal keys would silently win. */
async function refuseDoubles(sources: Phrases[]): Promise<void> {
  const homes = new Map<string, string>()
  for (const source of sources) {
    const { en } = (await import(join(phrases, source.file('en')))) as { en: Record<string, string> }
    for (const key of Object.keys(en)) {
      const home = homes.get(key)
      if (home) throw new Error(`the phrase ${key} is in ${home} and in ${source.file('en')}`)
      homes.set(key, source.file('en'))
    }
  }
}

async function phraseFiles(): Promise<[path: string, text: string][]> {
  const sources = await phraseSources()
  await refuseDoubles(sources)
  const note = '// Made by `npm run gen` from the folders beside it. Do not edit.\n'
  const language = (lang: 'en' | 'zh') =>
    note +
    sources.map(({ name, file }) => `import { ${lang} as ${name} } from '${file(lang)}'\n`).join('') +
    `\nexport const ${lang} = {\n${sources.map(({ name }) => `  ...${name},\n`).join('')}}\n`
  const keys = note + `import type { en } from './en.gen.ts'\n\nexport type PhraseKey = keyof typeof en\n`
  return [
    [join(phrases, 'en.gen.ts'), language('en')],
    [join(phrases, 'zh.gen.ts'), language('zh')],
    [join(phrases, 'keys.gen.ts'), keys],
  ]
}

/** The catalogue's keys as a type, so that whoever names one is checked; the calls themselves are where they come from. */
async function permissionFiles(): Promise<[path: string, text: string][]> {
  const keys = (await allPermissions()).map(({ name }) => `\n  | '${name}'`)
  return [
    [
      join(root, 'packages/contract/src/permission-keys.gen.ts'),
      `// Made by \`npm run gen\` from every endpoint. Do not edit.\nexport type PermissionKey =${keys.join('')}\n`,
    ],
  ]
}

async function tableFiles(): Promise<[path: string, text: string][]> {
  const template = await startTemplate()
  try {
    return [[join(root, 'apps/server/src/db/tables.gen.ts'), await describeTables(template.templateUrl)]]
  } finally {
    await template.stop()
  }
}

const makers: Record<string, () => Promise<[path: string, text: string][]>> = {
  phrases: phraseFiles,
  permissions: permissionFiles,
  manual: definitionPages,
  routes: routeFiles,
  tables: tableFiles,
}

const args = process.argv.slice(2)
const check = args.includes('--check')
const wantedParts = args.filter((arg) => !arg.startsWith('--'))

for (const [name, make] of Object.entries(makers)) {
  if (wantedParts.length > 0 && !wantedParts.includes(name)) continue
  for (const [path, text] of await make()) {
    if ((await readFile(path, 'utf8').catch(() => '')) === text) continue
    const shown = relative(root, path)
    if (check) {
      console.error(`${shown} is not up to date: npm run gen`)
      process.exitCode = 1
    } else {
      await writeFile(path, text)
      console.log(`wrote ${shown}`)
    }
  }
}
