// @vitest-environment node
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyPhrases } from './src/domains/pipelines/definition/key-phrases.ts'
import { codeOf, keysIn, parts, unreached, withWords } from './words.ts'

const base = parts().get('base')?.keys ?? new Set()

test('every file of the console belongs to a part, so that no text is missing', () => {
  expect(unreached()).toEqual([])
})

test('a part has the keys that it names completely or by a prefix, and no others', () => {
  expect(keysIn(`t('ui-save'), t(\`state-\${state}\`)`)).toContain('ui-save')
  expect(keysIn(`t(\`state-\${state}\`)`)).toEqual(expect.arrayContaining(['state-success', 'state-failed']))
  expect(keysIn(`t('no-such-key'), 'save'`)).toEqual([])
})

test('text between a pattern of branches and the next comment is read as code', () => {
  const code = "placeholder={example('release/*')} label={t('ui-save')}\n/** Says `ui-cancel`. */\nt('ui-delete')"
  expect(keysIn(codeOf(code))).toEqual(['ui-delete', 'ui-save'])
})

test('the login loads the titles of all screens, but neither texts of other screens nor the server’s refusals', () => {
  expect([...base]).toEqual(expect.arrayContaining(['ui-loading', 'route-login', 'state-success', 'request-forbidden']))
  expect(
    [...base].filter((key) => /^((stacks|pipelines|clusters)-ui|ui-(log|editor|yaml))-/.test(String(key))),
  ).toEqual([])
  expect(base.has('resource-missing')).toBe(false)
})

test('the nouns of toasts load with the first toast', () => {
  expect([...base].filter((key) => String(key).startsWith('noun-'))).toEqual([])
  expect(parts().get('nouns')?.keys.has('noun-pipeline')).toBe(true)
})

test('a screen has its own texts, including those of its dialogs; texts of all screens are loaded once', () => {
  const stacks = parts().get('stacks/spec/upgrade-service-page')?.keys ?? new Set()
  expect(stacks.has('stacks-ui-upgrade')).toBe(true)
  expect([...stacks].filter((key) => base.has(key))).toEqual([])
  expect(parts().get('pipelines/pipelines/pipeline-list-page')?.keys.has('pipelines-ui-delete-title')).toBe(true)
})

test('the page of a new pipeline has all texts of the definition, whose editor it may open', () => {
  const page = parts().get('pipelines/pipelines/create-pipeline-page')?.keys ?? new Set()
  const words = Object.values(keyPhrases).flatMap(([label, help]) => (help === undefined ? [label] : [label, help]))
  expect(words.filter((key) => !page.has(key) && !base.has(key))).toEqual([])
})

test('overlays of every screen have separate texts, which the login does not load', () => {
  const palette = parts().get('palette')?.keys ?? new Set()
  for (const key of ['search-nothing', 'search-do-run', 'search-kind-team', 'pipelines-ui-create'])
    expect([key, palette.has(key), base.has(key)]).toEqual([key, true, false])
  const list = parts().get('pipelines/pipelines/pipeline-list-page')?.keys ?? new Set()
  for (const key of ['pipelines-ui-run-title', 'pipelines-ui-undecided-title'])
    expect([key, parts().get('run')?.keys.has(key), list.has(key)]).toEqual([key, true, false])
})

test('a route loads its screen with that screen’s texts; the very first screen needs none', () => {
  const id = join(import.meta.dirname, 'src/domains/stacks/routes.tsx')
  expect(withWords("page: () => import('./spec/upgrade-service-page.tsx')", id)).toContain(
    "withWords('stacks/spec/upgrade-service-page', () => import('./spec/upgrade-service-page.tsx'))",
  )
  const first = join(import.meta.dirname, 'src/domains/auth/routes.tsx')
  expect(withWords("page: () => import('./login-page.tsx')", first)).toMatch(/page: \(\) => import/)
})

test('pending decisions load with their texts when they are opened; the login only has their title', () => {
  const list = parts().get('decisions')?.keys ?? new Set()
  expect([...list]).toEqual(
    expect.arrayContaining(['decisions-ui-title', 'pipelines-ui-approve', 'stacks-ui-confirm-title']),
  )
  expect([...base].filter((key) => String(key).startsWith('decisions-'))).toEqual(['decisions-bell'])
  expect([...list].length).toBeLessThan(200)
})
