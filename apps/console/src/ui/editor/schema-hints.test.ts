import { acceptCompletion, currentCompletions, startCompletion } from '@codemirror/autocomplete'
import { EditorView } from '@codemirror/view'
import { afterEach, expect, test, vi } from 'vitest'
import { useConsole } from '../../../test/app.tsx'
import { openEditor, type OpenEditor } from './code-mirror.ts'
import type { Schema } from './schema-completion.ts'

useConsole()

const schema: Schema = {
  properties: {
    name: { type: 'string' },
    mode: { type: 'string', enum: ['auto', 'manual'], default: 'auto', description: 'By the schema' },
  },
  required: ['name'],
}
let opened: OpenEditor | undefined
afterEach(() => opened?.close())

function edit(text: string, from = vi.fn(() => Promise.resolve(schema)), readOnly = false) {
  const place = document.body.appendChild(document.createElement('div'))
  const words = (path: string, value?: string) =>
    value === undefined && path === 'name' ? { name: 'Label', help: 'What it is for' } : {}
  const hints = { schema: from, words }
  opened = openEditor(place, { text, label: 'YAML', readOnly, hints, problems: () => [], onChange: () => undefined })
  const view = EditorView.findFromDOM(place)
  if (!view) throw new Error('no editor')
  view.dispatch({ selection: { anchor: text.length } })
  return { view, from }
}
const options = (view: EditorView): string[] => currentCompletions(view.state).map(({ label }) => label)

test('keys of the schema are completed, the required ones first, and then their values', async () => {
  const { view } = edit('')
  startCompletion(view)
  await expect.poll(() => options(view)).toEqual(['name', 'mode'])
  const [first] = currentCompletions(view.state)
  expect(first?.detail).toBe('Label')
  view.dispatch({ changes: { from: 0, insert: 'mo' }, selection: { anchor: 2 }, userEvent: 'input.type' })
  await expect.poll(() => options(view)).toEqual(['mode'])
  await expect.poll(() => acceptCompletion(view)).toBe(true)
  expect(view.state.doc.toString()).toBe('mode: ')
  await expect.poll(() => options(view)).toEqual(['auto', 'manual'])
})

test('a completion is explained by the console’s texts, otherwise by the schema', async () => {
  const { view } = edit('')
  startCompletion(view)
  await expect.poll(() => options(view)).toHaveLength(2)
  const texts = currentCompletions(view.state).map((option) => {
    const box = typeof option.info === 'function' ? option.info(option) : undefined
    return box instanceof HTMLElement ? [...box.children].map(({ textContent }) => textContent) : undefined
  })
  expect(texts).toEqual([
    ['name', 'Label', 'What it is for', 'Required'],
    ['mode', 'By the schema', 'One of: auto, manual', 'Default: auto'],
  ])
})

test('a schema that fails to load leaves the editor usable, and is requested again', async () => {
  const { view, from } = edit(
    '',
    vi.fn(() => Promise.reject(new Error('offline'))),
  )
  startCompletion(view)
  await expect.poll(() => from).toHaveBeenCalledTimes(1)
  expect(options(view)).toEqual([])
  startCompletion(view)
  await expect.poll(() => from).toHaveBeenCalledTimes(2)
})
