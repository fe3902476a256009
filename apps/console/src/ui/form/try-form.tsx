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
  const [result, setResult] = useState<TryState<T>>({ state: 'idle' })
  const tryIt = async () => {
    try {
      await form.validateFields(fields)
    } catch {
      // the problem is shown at its field
      return setResult({ state: 'idle' })
    }
    setResult({ state: 'asking' })
    try {
      setResult({ state: 'found', found: await ask(withoutBlanks(form.getFieldsValue(true)) as object) })
    } catch (error) {
      setResult({ state: 'failed', text: wordsOf(error) })
    }
  }
  return (
    <div className="g-try">
      <Button icon="link" loading={result.state === 'asking'} onClick={() => void tryIt()}>
        {label}
      </Button>
      <div className="g-try-answer" role="group" aria-label={label} aria-live="polite">
        {result.state === 'failed' && <p className="g-note g-note-bad">{result.text}</p>}
        {result.state === 'found' && (
          <>
            <p className="g-ok">{fine}</p>
            {children?.(result.found)}
          </>
        )}
      </div>
    </div>
  )
}
