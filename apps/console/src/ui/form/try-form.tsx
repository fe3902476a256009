import { Form as Antd } from 'antd'
import { useState, type ReactNode } from 'react'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../button.tsx'
import { withoutBlanks } from './problems.ts'

type TryState<T> = { state: 'idle' | 'asking' } | { state: 'found'; found: T } | { state: 'failed'; text: string }

interface TryFormProps<T> {
  label: string
  /** The heading of the result. */
  fine: string
  /** Fields that must be valid first. Default: all. */
  fields?: string[]
  /** Sends the input; a rejection is displayed. */
  ask: (typed: object) => Promise<T>
  /** Renders the result. */
  children?: (found: T) => ReactNode
}

/** Tests the input before anything is saved, and shows the result. For the foot of a Form. */
export function TryForm<T>({ label, fine, fields, ask, children }: TryFormProps<T>) {
  const form = Antd.useFormInstance<object>()
  const [asked, setAsked] = useState<TryState<T>>({ state: 'idle' })
  const tryIt = async () => {
    try {
      await form.validateFields(fields)
    } catch {
      // the problem is shown at its field
      return setAsked({ state: 'idle' })
    }
    setAsked({ state: 'asking' })
    try {
      setAsked({ state: 'found', found: await ask(withoutBlanks(form.getFieldsValue(true)) as object) })
    } catch (error) {
      setAsked({ state: 'failed', text: wordsOf(error) })
    }
  }
  return (
    <div className="g-try">
      <Button icon="link" loading={asked.state === 'asking'} onClick={() => void tryIt()}>
        {label}
      </Button>
      <div className="g-try-answer" role="group" aria-label={label} aria-live="polite">
        {asked.state === 'failed' && <p className="g-note g-note-bad">{asked.text}</p>}
        {asked.state === 'found' && (
          <>
            <p className="g-ok">{fine}</p>
            {children?.(asked.found)}
          </>
        )}
      </div>
    </div>
  )
}
