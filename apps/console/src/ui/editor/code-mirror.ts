import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, foldGutter, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { forceLinting, linter, lintGutter, type Diagnostic } from '@codemirror/lint'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { t } from '../../api/language.ts'
import { nonce } from '../nonce.ts'
import { schemaHints, type Hints } from './schema-hints.ts'

/** The time after Escape in which Tab leaves the editor, as in CodeMirror's own keymap. */
const leaveMs = 2000

/** The product's colours as CSS variables, so that the theme can change without a new editor. */
const look = EditorView.theme({
  '&': { color: 'var(--g-text)', backgroundColor: 'var(--g-sunken)', fontSize: '13px', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--g-mono)', fontVariantLigatures: 'none', lineHeight: '20px' },
  '.cm-gutters': { backgroundColor: 'var(--g-sunken)', color: 'var(--g-text-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--g-text) 4%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--g-accent)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground, ::selection': {
    backgroundColor: 'color-mix(in srgb, var(--g-accent) 26%, transparent) !important',
  },
  '.cm-panels, .cm-tooltip': {
    backgroundColor: 'var(--g-raised)',
    color: 'var(--g-text)',
    borderColor: 'var(--g-line)',
  },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--g-bad-soft) !important' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--g-ok-soft) !important' },
  '.cm-deletedLine, .cm-deletedChunk': { backgroundColor: 'var(--g-bad-soft) !important' },
  // a tint, because underlining every added character distracts
  '&.cm-merge-a .cm-changedText, .cm-deletedText': {
    background: 'color-mix(in srgb, var(--g-bad) 12%, transparent) !important',
  },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, var(--g-ok) 12%, transparent) !important' },
  '.cm-collapsedLines': { padding: '4px 10px', background: 'var(--g-idle-soft)', color: 'var(--g-text-3)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"" !important' },
  '.cm-changedText del, del .cm-changedText, del': { textDecoration: 'none' },
})
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--g-accent)' },
  { tag: [tags.string, tags.content], color: 'var(--g-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--g-info)' },
  { tag: tags.comment, color: 'var(--g-text-3)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.labelName, tags.meta], color: 'var(--g-warn)' },
])

/**
 * Replaces a multi-line selection itself, because the browser would write inline styles into the joined text, which the
 * content security policy forbids.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const replaces = event.inputType === 'insertText' && event.data !== null && !view.state.selection.main.empty
    if (!replaces || view.composing || view.state.readOnly) return false
    event.preventDefault()
    view.dispatch(view.state.replaceSelection(event.data ?? ''), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})

/** The editor's own texts, translated; `$` stands for a number. */
const words = (): Extension =>
  EditorState.phrases.of({
    Find: t('ui-editor-find'),
    Replace: t('ui-editor-replace-with'),
    next: t('ui-editor-next'),
    previous: t('ui-editor-previous'),
    all: t('ui-editor-all'),
    'match case': t('ui-editor-match-case'),
    regexp: t('ui-editor-regexp'),
    'by word': t('ui-editor-by-word'),
    replace: t('ui-editor-replace'),
    'replace all': t('ui-editor-replace-all'),
    close: t('ui-close'),
    'current match': t('ui-editor-current-match'),
    'on line': t('ui-editor-on-line'),
    'replaced match on line $': t('ui-editor-replaced-one', { line: '$' }),
    'replaced $ matches': t('ui-editor-replaced', { count: '$' }),
    'Fold line': t('ui-editor-fold'),
    'Unfold line': t('ui-editor-unfold'),
    'folded code': t('ui-editor-folded'),
    unfold: t('ui-editor-unfold'),
    '$ unchanged lines': t('ui-editor-unchanged', { count: '$' }),
    Diagnostics: t('ui-editor-problems'),
    Completions: t('ui-editor-completions'),
    'No diagnostics': t('ui-yaml-fine'),
  })

const shared = (language: Extension = yaml()): Extension[] => [
  EditorView.cspNonce.of(nonce()),
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  bracketMatching(),
  language,
  syntaxHighlighting(colours),
  search({ top: true }),
  highlightSelectionMatches(),
  look,
  words(),
]

export interface OpenEditor {
  replace: (text: string) => void
  goTo: (line: number, column: number) => void
  /** Checks for problems again, because something other than the text has changed. */
  recheck: () => void
  close: () => void
}

/** A message about a place in the text; an error by default. */
export interface Marked {
  line: number
  column: number
  text: string
  severity?: 'error' | 'warning' | 'info'
}

interface EditorOptions {
  text: string
  label: string
  readOnly: boolean
  /** Default: YAML. */
  language?: Extension
  problems: (text: string) => readonly Marked[]
  hints?: Hints | undefined
  onChange: (text: string) => void
}

const place = (state: EditorState, line: number, column: number): number => {
  const at = state.doc.line(Math.min(Math.max(1, line), state.doc.lines))
  return Math.min(at.to, at.from + Math.max(0, column - 1))
}

export function openEditor(parent: HTMLElement, options: EditorOptions): OpenEditor {
  const view = new EditorView({
    parent,
    doc: options.text,
    extensions: [
      ...shared(options.language),
      history(),
      replaceSelection,
      indentOnInput(),
      highlightActiveLine(),
      options.hints ? schemaHints(options.hints) : [],
      lintGutter(),
      linter((now): Diagnostic[] =>
        options.problems(now.state.doc.toString()).map((problem) => {
          const from = place(now.state, problem.line, problem.column)
          const { text: message, severity = 'error' } = problem
          return { from, to: Math.min(from + 1, now.state.doc.length), severity, message }
        }),
      ),
      // Escape, then Tab leaves the editor: CodeMirror's own keyboard convention. A dialog around it stays open.
      // The same Escape closes a list of completions.
      Prec.highest(
        EditorView.domEventHandlers({
          keydown: (event, view) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            view.setTabFocusMode(leaveMs)
          },
        }),
      ),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
      EditorState.readOnly.of(options.readOnly),
      EditorView.contentAttributes.of({ 'aria-label': options.label, tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) options.onChange(update.state.doc.toString())
      }),
    ],
  })
  return {
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    goTo(line, column) {
      view.dispatch({ selection: { anchor: place(view.state, line, column) }, scrollIntoView: true })
      view.focus()
    },
    recheck: () => forceLinting(view),
    close: () => view.destroy(),
  }
}

/** Minimum width for two columns, in pixels. */
const twoSides = 640

/** The old and the new text, side by side or, if it is too narrow, one below the other; unchanged parts are folded. */
export function openDiff(
  parent: HTMLElement,
  before: string,
  after: string,
  labels: { before: string; after: string },
): () => void {
  const side = (label: string) => [
    ...shared(),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  ]
  const collapseUnchanged = { margin: 3, minSize: 6 }
  const unified = () =>
    new EditorView({
      parent,
      doc: after,
      extensions: [
        ...side(labels.after),
        unifiedMergeView({ original: before, collapseUnchanged, mergeControls: false, gutter: true }),
      ],
    })
  const sides = () =>
    new MergeView({
      parent,
      a: { doc: before, extensions: side(labels.before) },
      b: { doc: after, extensions: side(labels.after) },
      collapseUnchanged,
      gutter: true,
    })
  const view = parent.clientWidth < twoSides ? unified() : sides()
  return () => view.destroy()
}
