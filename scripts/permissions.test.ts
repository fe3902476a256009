import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isEndpoint, requiredPermissions } from '@gantry/contract/endpoint'

const root = resolve(import.meta.dirname, '..')
const console = join(root, 'apps/console/src')
const contract = join(root, 'packages/contract/src')
const read = (file: string) => readFileSync(file, 'utf8')

const keys = new Set(
  [...read(join(contract, 'permission-keys.gen.ts')).matchAll(/'(\w+_\w+_\w+)'/g)].map(([, key = '']) => key),
)

/** Permissions that are written out: nothing checks that the call behind the button requires them. */
const writtenOut = (text: string): string[] =>
  [...text.matchAll(/['"`]([a-z]+_[a-z]+_[a-z]+)['"`]/g)].map(([, key = '']) => key).filter((key) => keys.has(key))

/**
 * Routes and the search's actions are loaded before the calls of their screens; the presets of a token name permissions
 * and no call.
 */
const named = [/\/routes\.tsx$/, /^shell\/palette\/actions\.ts$/, /^domains\/tokens\/presets\.ts$/]

test('buttons, forms and reads of the console name the calls that they make, not permissions', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: console }).filter((file) => !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(500)
  expect(keys.size).toBeGreaterThan(80)
  expect(
    files
      .filter((file) => !named.some((pattern) => pattern.test(file)))
      .flatMap((file) => writtenOut(read(join(console, file))).map((key) => `${file}: ${key}`)),
  ).toEqual([])
})

test('finds a permission that is written out', () => {
  expect(writtenOut(`<Button needs="pipeline_pipeline_edit" />`)).toEqual(['pipeline_pipeline_edit'])
  expect(writtenOut(`const needs = 'stack_service_edit'\nuseMay(needs)`)).toEqual(['stack_service_edit'])
  expect(writtenOut(`<Button needs={pipelines.setSetting} />`)).toEqual([])
})

/** What the modules of a page import from the contract, and how they use it. */
function mentionsOf(page: string, seen = new Set<string>()): string[] {
  if (seen.has(page) || !existsSync(page)) return []
  seen.add(page)
  const text = read(page)
  const groups = new Map(
    [...text.matchAll(/import \{([^}]*)\} from '@gantry\/contract\/([^']*)'/g)].flatMap(([, names = '', module]) =>
      names.split(',').map((name) => {
        const [group = '', alias = group] = name.trim().split(' as ')
        return [alias, `${module}#${group}`] as const
      }),
    ),
  )
  return [
    ...[...text.matchAll(/\b(\w+)\.(\w+)\b/g)].flatMap(([, group = '', name]) =>
      groups.has(group) ? [`${groups.get(group)}.${name}`] : [],
    ),
    ...[...text.matchAll(/(?:from|import\() ?'(\.[^']*)'/g)]
      .map(([, path = '']) => resolve(dirname(page), path))
      .filter((file) => !relative(join(console, 'domains'), file).startsWith('..'))
      .flatMap((file) => mentionsOf(file, seen)),
  ]
}

async function permissionsIn(mentions: readonly string[]): Promise<Set<string>> {
  const found = mentions.map(async (mention) => {
    const [, module = '', group = '', name = ''] = /^(.*)#(.*)\.(.*)$/.exec(mention) ?? []
    const exported = (await import(join(contract, `${module}.ts`))) as Record<string, Record<string, unknown>>
    const value = exported[group]?.[name]
    return isEndpoint(value) ? requiredPermissions(value) : []
  })
  return new Set((await Promise.all(found)).flat())
}

const routeFiles = globSync('domains/*/routes.tsx', { cwd: console })
const screens = routeFiles.flatMap((file) =>
  [...read(join(console, file)).matchAll(/\{\s+name: [\s\S]*?\n {2}\},/g)].flatMap(([text]) => {
    const [, page] = /import\('([^']*)'\)/.exec(text) ?? []
    const wanted = writtenOut(text)
    return page === undefined || wanted.length === 0 ? [] : [{ page: join(console, dirname(file), page), wanted }]
  }),
)

test('a screen checks only permissions that calls of its page require', async () => {
  expect(screens.length).toBeGreaterThan(60)
  const idle = screens.map(async ({ page, wanted }) => {
    const required = await permissionsIn(mentionsOf(page))
    return wanted.filter((key) => !required.has(key)).map((key) => `${relative(console, page)}: ${key}`)
  })
  expect((await Promise.all(idle)).flat()).toEqual([])
})

test('finds a permission that no call of a page requires', async () => {
  const page = join(console, 'domains/pipelines/pipelines/pipeline-list-page.tsx')
  const required = await permissionsIn(mentionsOf(page))
  expect(required.has('pipeline_pipeline_view')).toBe(true)
  expect(required.has('helm_release_view')).toBe(false)
})
