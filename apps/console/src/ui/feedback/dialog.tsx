import { Input, type ModalProps } from 'antd'
import { createContext, use, useRef, useState, type ReactNode } from 'react'
import { dirtyForms } from '../../api/draft.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { signed } from '../../api/session.ts'
import { store, useStore } from '../../api/store.ts'
import { Button } from '../button.tsx'
import { useComeBack } from '../focus/place.ts'
import { scrollStop } from '../focus/scroll-stop.ts'
import { later } from './later.ts'
import { Problem } from './problem.tsx'

const DialogBox = later(async () => (await import('./dialog-boxes.tsx')).DialogBox)
const SideBox = later(async () => (await import('./dialog-boxes.tsx')).SideBox)

export const loadDialogs = () => Promise.all([DialogBox.load(), SideBox.load()])

// Loaded early, so that unsaved input is protected even without a network.
dirtyForms.subscribe(() => {
  if (dirtyForms.get() > 0) loadDialogs().catch(() => undefined)
})

export interface DialogProps extends Pick<ModalProps, 'className' | 'style' | 'width' | 'closable'> {
  title: ReactNode
  /** The buttons at the end; a form has its own. */
  buttons?: ReactNode
  /**
   * What closes it. `anyhow` (default): also a click outside; `asked`: Escape and the cross; `button`: only its
   * buttons, for contents that are shown only once.
   */
  closes?: 'anyhow' | 'asked' | 'button'
  onClose?: () => void
  children: ReactNode
}

const fields = ':is(textarea, input:not([type=radio], [readonly]), input:checked):not(:disabled)'

/** Focuses the first field or, without fields, the main button, instead of the cross before it. */
function enter(): void {
  const now = document.activeElement
  if (!now?.matches('.ant-modal, .ant-modal-close')) return
  const body = now.closest('.ant-modal')?.querySelector('.ant-modal-body')
  body?.querySelector<HTMLElement>(`${fields}, .ant-btn-primary`)?.focus()
}

const Unsent = createContext<(has: boolean) => void>(() => {})

/** Lets a form in a dialog report whether it has unsent input. */
export const useUnsent = (): ((has: boolean) => void) => use(Unsent)

/**
 * A dialog, open while it is rendered. However it closes, the focus returns to where it was. Escape, the cross and a
 * click outside ask first if a form in it has unsent input.
 */
export function Dialog({ buttons, closes = 'anyhow', onClose, children, ...look }: DialogProps) {
  useComeBack()
  const unsent = useRef(false)
  const [hold] = useState(() => (has: boolean) => {
    unsent.current = has
  })
  const close = async () => {
    const discard = { title: t('ui-unsent-title'), text: t('ui-unsent-text'), danger: true, ok: t('ui-unsent-discard') }
    if (!unsent.current || (await confirm(discard))) onClose?.()
  }
  return (
    <DialogBox
      footer={buttons === undefined ? null : <div className="g-row g-row-end">{buttons}</div>}
      mask={{ closable: closes === 'anyhow' }}
      keyboard={closes !== 'button'}
      closable={closes === 'button' ? false : { 'aria-label': t('ui-close') }}
      {...(onClose ? { onCancel: () => void close() } : {})}
      afterOpenChange={enter}
      {...look}
    >
      <Unsent value={hold}>{children}</Unsent>
    </DialogBox>
  )
}

interface SideDialogProps {
  title: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A dialog at the side, for details of a row of the page below. */
export function SideDialog(p: SideDialogProps) {
  useComeBack()
  return <SideBox closable={{ 'aria-label': t('ui-close') }} {...p} />
}

export interface Question {
  title: string
  text?: ReactNode
  /** What is deleted with it, one line each: '3 builds', '12 artifacts'. */
  goes?: readonly ReactNode[]
  /** An additional warning, above the buttons. */
  warning?: ReactNode
  /** The word to type before the button is enabled: `ok`. */
  typed?: string
  danger?: boolean
  /** The button's text. Default: confirm. */
  ok?: string
  /** Runs while the dialog stays open; if it fails, the dialog stays and shows why. */
  run?: () => Promise<unknown>
}

interface OpenQuestion extends Question {
  id: number
  answer: (yes: boolean) => void
}

const openQuestions = store<readonly OpenQuestion[]>([])
let last = 0

/** Asks for a confirmation; resolves to whether the user confirmed (and `run` succeeded). */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const id = ++last
    const answer = (yes: boolean) => {
      openQuestions.set((list) => list.filter((a) => a.id !== id))
      resolve(yes)
    }
    openQuestions.set((list) => [...list, { ...question, id, answer }])
  })

/** Asks whether to delete something. */
export const confirmDelete = (question: Omit<Question, 'danger' | 'ok'>) =>
  confirm({ ...question, danger: true, ok: t('ui-delete') })

// The user who was asked has logged out.
signed.subscribe(() => {
  if (!signed.get()) for (const { answer } of openQuestions.get()) answer(false)
})

/** Renders the dialogs of `confirm`; the shell has one. */
export function ConfirmHost() {
  return useStore(openQuestions).map((question) => <ConfirmDialog key={question.id} {...question} />)
}

function ConfirmDialog({ title, text, goes = [], warning, typed, danger, ok, run, answer }: OpenQuestion) {
  const [word, setWord] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const ready = typed === undefined || word === typed
  const yes = async () => {
    if (!ready || busy) return
    setBusy(true)
    setProblem('')
    try {
      await run?.()
      answer(true)
    } catch (error) {
      setProblem(wordsOf(error))
      setBusy(false)
    }
  }
  // Closing does not cancel work in progress.
  const no = () => {
    if (!busy) answer(false)
  }
  return (
    <Dialog
      title={title}
      onClose={no}
      buttons={
        <>
          <Button disabled={busy && t('ui-busy')} onClick={no}>
            {t('ui-cancel')}
          </Button>
          <Button
            primary
            danger={danger ?? false}
            loading={busy}
            disabled={!ready && t('ui-type-first', { word: typed ?? '' })}
            onClick={() => void yes()}
          >
            {ok ?? t('ui-confirm')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void yes()
        }}
      >
        {text !== undefined && <div className="g-dialog-text">{text}</div>}
        {goes.length > 0 && (
          <>
            <p>{t('ui-goes-with-it')}</p>
            <ul className="g-goes" ref={scrollStop}>
              {goes.map((line, at) => (
                <li key={at}>{line}</li>
              ))}
            </ul>
          </>
        )}
        {warning !== undefined && <p className="g-note g-note-warn">{warning}</p>}
        {typed !== undefined && (
          <label className="g-typed">
            <span>{t('ui-type-to-confirm', { word: typed })}</span>
            <Input
              value={word}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setWord(event.target.value)}
            />
          </label>
        )}
        <Problem text={problem} />
      </form>
    </Dialog>
  )
}

/** Whether a dialog is open, and its subject. */
export function useDialog<T = true>(): { open: T | undefined; show: (about: T) => void; hide: () => void } {
  const [open, setOpen] = useState<T>()
  return { open, show: (about) => setOpen(() => about), hide: () => setOpen(undefined) }
}
