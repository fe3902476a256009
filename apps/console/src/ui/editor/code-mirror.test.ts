import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEditor } from './code-mirror.ts'

const rulesHere = (): string =>
  [...document.querySelectorAll('style')].map((style) => style.textContent).join('\n') +
  document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join('\n')

test('!= and => stay two characters in an editor, in a log and in code', () => {
  const place = document.body.appendChild(document.createElement('div'))
  const options = { text: 'a: 1', label: 'YAML', readOnly: false, problems: () => [], onChange: () => undefined }
  const editor = openEditor(place, options)
  expect(rulesHere()).toMatch(/\.cm-scroller[^}]*font-variant-ligatures: none/)
  editor.close()
  place.remove()
  for (const [file, rule] of [
    ['log/log-view.css', /\.g-log-box \{[^}]*font-variant-ligatures: none/],
    ['tokens.css', /\.g-mono \{[^}]*font-variant-ligatures: none/],
  ] as const)
    expect(readFileSync(join(import.meta.dirname, '..', file), 'utf8')).toMatch(rule)
})
