import { type RefObject, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import { LineCounter } from 'yaml'
import { t } from '../../api/language.ts'
import { holdDraft } from '../../api/draft.ts'
import { toast, wordsOf } from '../../api/notices.ts'
import type { Needs } from '../../api/session.ts'
import { Button } from '../button.tsx'
import { copyText } from '../copyable.tsx'
import { Problem } from '../feedback/problem.tsx'
import { openDiff, openEditor, type OpenEditor } from './code-mirror.ts'
import type { Hints } from './schema-hints.ts'
import { exactTime } from '../format.ts'
import { dropYamlDraft, keepYamlDraft, yamlDraft } from './yaml-draft.ts'
import { readDocuments } from './yaml-text.ts'
import './yaml-editor.css'

export interface Problem {
  line: number
  column: number
  text: string
}

/** The problems of a YAML text, by line and column, both from 1. */
export function problemsOf(text: string): Problem[] {
  const lines = new LineCounter()
  return readDocuments(text, lines).flatMap((document) =>
    [...document.errors, ...document.warnings].map(({ pos, message }) => {
      const { line, col } = lines.linePos(pos[0])
      return { line, column: col, text: message }
    }),
  )
}

export interface YamlEditorProps {
  /** The saved text. */
  value: string
  /** A draft is stored in this browser under this key until it is applied or discarded. */
  draftKey: string
  /** Applies the text; rejects if the server refuses. Absent: read-only. */
  onApply?: (text: string) => Promise<unknown>
  /** Finds problems besides the syntax. */
  check?: (text: string) => readonly Problem[]
  /** Completes and explains keys. */
  hints?: Hints
  /** Problems that do not prevent applying the text. */
  warnings?: readonly Problem[]
  apply?: string
  needs?: Needs
  label?: string
  /** Called while the text is typed, for other views of it. */
  onText?: (text: string) => void
  /** Lets other views change the text. */
  handle?: RefObject<YamlHandle | null>
}

export interface YamlHandle {
  replace: (text: string) => void
}

/** Maximum problems that are marked; fixing them shows the next. */
const maxProblems = 100

const none: readonly Problem[] = []

/**
 * A YAML editor with problems by line and column, a review of the changes before they are applied, and a draft that
 * survives a reload.
 */
export function YamlEditor(props: YamlEditorProps) {
  const { value, draftKey, onApply, check, hints, warnings = none, apply, needs, label, onText, handle } = props
  const [kept] = useState(() => yamlDraft(draftKey))
  const [restored, setRestored] = useState(kept !== undefined && kept.text !== value)
  const [text, setText] = useState(kept?.text ?? value)
  const [before, setBefore] = useState(value)
  // Shows what others save until the user types something.
  if (before !== value) {
    setBefore(value)
    if (text === before) setText(value)
  }
  const [reviewing, setReviewing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<OpenEditor>(undefined)
  /** As last reported by the editor, which checks when typing pauses. */
  const [problems, setProblems] = useState<readonly Problem[]>()
  const changed = text !== value

  useEffect(() => (changed ? holdDraft() : undefined), [changed])
  const tell = useEffectEvent((now: string) => onText?.(now))
  useEffect(() => tell(text), [text])
  useImperativeHandle(handle, () => ({ replace: (next) => editor.current?.replace(next) }), [])
  const look = (now: string): readonly Problem[] => {
    const found = [...problemsOf(now), ...(check?.(now) ?? [])].slice(0, maxProblems)
    setProblems(found)
    return found
  }
  const doubts = useRef(warnings)
  useEffect(() => {
    doubts.current = warnings
    editor.current?.recheck()
  }, [warnings])
  const open = useEffectEvent((reviewing: boolean, value: string, draftKey: string) => {
    if (!place.current) return undefined
    if (reviewing)
      return openDiff(place.current, value, text, { before: t('ui-yaml-before'), after: t('ui-yaml-after') })
    const opened = openEditor(place.current, {
      text,
      label: label ?? t('ui-yaml-editor'),
      readOnly: onApply === undefined,
      hints,
      problems: (now) => [...look(now), ...doubts.current.map((one) => ({ ...one, severity: 'warning' as const }))],
      onChange: (now) => {
        setText(now)
        if (now === value) dropYamlDraft(draftKey)
        else keepYamlDraft(draftKey, now)
      },
    })
    editor.current = opened
    return opened.close
  })
  useEffect(() => open(reviewing, value, draftKey), [reviewing, value, draftKey])

  const discard = () => {
    dropYamlDraft(draftKey)
    setRestored(false)
    setText(value)
    editor.current?.replace(value)
  }
  const applyIt = async () => {
    setBusy(true)
    setRefusal('')
    try {
      await onApply?.(text)
      dropYamlDraft(draftKey)
      setRestored(false)
      setReviewing(false)
    } catch (error) {
      setRefusal(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="g-yaml">
      {restored && (
        <p className="g-note g-row">
          {t('ui-yaml-draft', { time: exactTime(kept?.at ?? 0) })}
          <Button quiet small onClick={discard}>
            {t('ui-yaml-discard')}
          </Button>
        </p>
      )}
      <div className="g-pane g-yaml-box" ref={place} />
      {!reviewing && (
        <ul className="g-yaml-problems" aria-live="polite">
          {problems?.length === 0 && warnings.length === 0 && <li className="g-faint">{t('ui-yaml-fine')}</li>}
          {[...(problems ?? []), ...warnings].slice(0, 20).map((problem) => (
            <li key={`${problem.line}:${problem.column}:${problem.text}`}>
              <button
                type="button"
                className={warnings.includes(problem) ? 'g-yaml-doubt' : ''}
                onClick={() => editor.current?.goTo(problem.line, problem.column)}
              >
                {t('ui-yaml-problem', { line: problem.line, column: problem.column, problem: problem.text })}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Problem text={refusal} />
      <div className="g-row g-row-end">
        <Button quiet icon="copy" onClick={() => void copyText(text).then((done) => done && toast.ok(t('ui-copied')))}>
          {t('ui-copy')}
        </Button>
        {onApply && (
          <>
            {reviewing ? (
              <>
                <Button onClick={() => setReviewing(false)}>{t('ui-yaml-edit-again')}</Button>
                <Button
                  primary
                  loading={busy}
                  onClick={() => void applyIt()}
                  {...(needs === undefined ? {} : { needs })}
                >
                  {apply ?? t('ui-yaml-apply')}
                </Button>
              </>
            ) : (
              <>
                {changed && <Button onClick={discard}>{t('ui-yaml-discard')}</Button>}
                <Button
                  primary
                  icon="diff"
                  disabled={reasonAgainst(changed, problems)}
                  onClick={() => setReviewing(look(text).length === 0)}
                >
                  {t('ui-yaml-review')}
                </Button>
              </>
            )}
          </>
        )}
      </div>
    </div>
  )
}

function reasonAgainst(changed: boolean, problems: readonly Problem[] = []): string | false {
  if (!changed) return t('ui-yaml-same')
  const [first] = problems
  return first ? t('ui-yaml-problem', { line: first.line, column: first.column, problem: first.text }) : false
}
