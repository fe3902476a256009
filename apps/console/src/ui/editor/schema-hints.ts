import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { EditorView, hoverTooltip } from '@codemirror/view'
import { t } from '../../api/language.ts'
import { completionsAt, keyAt, type Known, type Schema } from './schema-completion.ts'

/** The sources of an editor's completions and explanations. */
export interface Hints {
  /** Loaded when first needed. */
  schema: () => Promise<Schema>
  /** The console's label and help for the key at a path, or for one of its values. */
  words: (path: string, value?: string) => { name?: string | undefined; help?: string | undefined }
}

/** Undefined if the schema fails to load, so that typing is still possible. */
const arrived = (schema: Hints['schema']): Promise<Schema | undefined> => schema().catch(() => undefined)

function explanation(name: string, known: Known, words: Hints['words'], value?: string): HTMLElement {
  const said = words(known.path, value)
  const { minimum, maximum, description, default: usual } = known.schema
  const box = document.createElement('div')
  box.className = 'g-yaml-hint'
  const line = (text: string | undefined, tag = 'p') => {
    if (text) box.appendChild(document.createElement(tag)).textContent = text
  }
  line(name, 'code')
  line(said.name)
  line(said.help ?? description)
  if (value !== undefined) return box
  if (known.required) line(t('ui-editor-required'))
  if (known.values.length > 0) line(t('ui-editor-values', { values: known.values.join(', ') }))
  if (minimum !== undefined && maximum !== undefined) line(t('ui-editor-range', { minimum, maximum }))
  if (['string', 'number', 'boolean'].includes(typeof usual) && usual !== '')
    line(t('ui-editor-default', { value: String(usual) }))
  return box
}

/** Completes and explains keys and values by a schema. */
export const schemaHints = ({ schema, words }: Hints): Extension => {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { state, pos } = context
    if (!context.explicit && !context.matchBefore(/[\w-]$|[:-] $/)) return null
    const known = await arrived(schema)
    const found = known && completionsAt(state.doc.toString(), pos, known)
    if (!found) return null
    return {
      from: found.from,
      to: found.to,
      validFor: /^[\w-]*$/,
      options: found.options.map((option, at) => {
        const { label, text, value } = option
        const { name } = words(option.path, value)
        return {
          label,
          apply: text,
          ...(name !== undefined && { detail: name }),
          info: () => explanation(label, option, words, value),
          // in the schema's order, required keys first
          boost: (option.required ? 50 : 0) - Math.min(at, 99) / 2,
        }
      }),
    }
  }
  return [
    autocompletion({ override: [complete], icons: false, activateOnCompletion: () => true }),
    hoverTooltip(async (view, pos) => {
      const known = await arrived(schema)
      const found = known && keyAt(view.state.doc.toString(), pos, known)
      if (!found) return null
      const { from, to } = found
      const dom = explanation(view.state.sliceDoc(from, to), found, words)
      return { pos: from, end: to, above: true, create: () => ({ dom }) }
    }),
    look,
  ]
}

const look = EditorView.theme({
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--g-mono)', maxHeight: '16em' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'color-mix(in srgb, var(--g-accent) 18%, transparent) !important',
    color: 'var(--g-text) !important',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--g-text-2)', fontFamily: 'var(--g-font)', fontStyle: 'normal' },
  '.g-yaml-hint': { maxWidth: '44ch', padding: '6px 8px' },
  '.g-yaml-hint p': { margin: '2px 0 0' },
})
