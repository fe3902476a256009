import { useState } from 'react'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import type { Needs } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'

interface SendProps {
  label: string
  needs?: Needs
  blocked: string | undefined
  onClose: () => void
  onSend: () => Promise<unknown>
}

/** The buttons below a plan, and the error if it failed after all. */
export function Send({ label, needs, blocked, onClose, onSend }: SendProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const send = async () => {
    setBusy(true)
    setProblem('')
    try {
      await onSend()
    } catch (error) {
      setProblem(wordsOf(error))
      setBusy(false)
    }
  }
  return (
    <>
      <Problem text={problem} />
      <div className="g-row g-row-end">
        <Button onClick={onClose}>{t('ui-cancel')}</Button>
        <Button
          primary
          loading={busy}
          {...(needs === undefined ? {} : { needs })}
          disabled={blocked ?? false}
          onClick={() => void send()}
        >
          {label}
        </Button>
      </div>
    </>
  )
}
