// @vitest-environment node
import { expect, test } from 'vitest'
import { keysIn, parts, unreached } from './words.ts'

const base = parts().get('base')?.keys ?? new Set()

test('every file of the console stands in a part, so that no text is left out', () => {
  expect(unreached()).toEqual([])
})

test('a part has the keys that it names whole or by their beginning, and no others', () => {
  expect(keysIn(`t('ui-save'), t(\`state-\${state}\`)`)).toContain('ui-save')
  expect(keysIn(`t(\`state-\${state}\`)`)).toEqual(expect.arrayContaining(['state-success', 'state-failed']))
  expect(keysIn(`t('no-such-key'), 'save'`)).toEqual([])
})

test('what the login loads has the titles of all screens, and neither other screens nor the server’s refusals', () => {
  expect([...base]).toEqual(expect.arrayContaining(['ui-loading', 'route-login', 'state-success', 'request-forbidden']))
  expect([...base].filter((key) => /^(stacks|pipelines|clusters)-ui-/.test(String(key)))).toEqual([])
  expect(base.has('resource-missing')).toBe(false)
})

test('the screens of a domain have their own texts, and what all screens say only once', () => {
  const stacks = parts().get('stacks')?.keys ?? new Set()
  expect(stacks.has('stacks-ui-upgrade')).toBe(true)
  expect([...stacks].filter((key) => base.has(key))).toEqual([])
})
