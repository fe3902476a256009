import { useState, type ReactNode } from 'react'
import { CallError } from '../../api/failure.ts'
import { t, type PhraseKey } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button, type ButtonProps } from '../button.tsx'
import { Problem } from '../feedback/problem.tsx'
import { Difference } from './editors.tsx'
import { Dialog } from '../feedback/dialog.tsx'

/** Whether a call was refused because somebody else has changed the same object since. */
export const isStale = (error: unknown, key: PhraseKey): error is CallError =>
  error instanceof CallError && error.key === key

interface ReviewProps {
  title: string
  /** The result as text. */
  text?: string
  before: string
  after: string
  /** The message if they do not differ. */
  same: string
  /** Further information about it. */
  note: string
  send: Pick<ButtonProps, 'icon' | 'needs'> & { label: string }
  onSend: () => Promise<unknown>
  /** The phrase of a refusal because somebody else has changed the same object. */
  stale: PhraseKey
  /** Applies the change to the present version. */
  onRebase: () => Promise<unknown>
  onClose: () => void
  /** The label of the button that goes back, if nothing is edited. */
  back?: string
  /** Further content above the difference. */
  children?: ReactNode
}

/** Shows how a change would alter a document, old and new side by side, before it is sent. */
export function ReviewDialog({ send: { label, ...send }, ...p }: ReviewProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      width={960}
      title={p.title}
      onClose={p.onClose}
      buttons={
        <>
          <Button onClick={p.onClose}>{p.back ?? t('ui-yaml-edit-again')}</Button>
          {isStale(problem, p.stale) ? (
            <Button primary icon="refresh" loading={busy} onClick={() => void run(p.onRebase)}>
              {t('ui-review-rebase')}
            </Button>
          ) : (
            <Button primary loading={busy} onClick={() => void run(p.onSend)} {...send}>
              {label}
            </Button>
          )}
        </>
      }
    >
      {p.text !== undefined && <p className="g-dialog-text">{p.text}</p>}
      {p.note !== '' && (
        <p className="g-note" role="status">
          {p.note}
        </p>
      )}
      {p.children}
      {p.before === p.after ? (
        <p className="g-note g-note-warn">{p.same}</p>
      ) : (
        <Difference before={p.before} after={p.after} />
      )}
      {problem !== undefined && <Problem text={wordsOf(problem)} />}
    </Dialog>
  )
}
