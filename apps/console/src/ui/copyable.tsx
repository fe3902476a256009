import { useState } from 'react'
import { t } from '../api/language.ts'
import { toast } from '../api/notices.ts'
import { Icon } from './icon.tsx'

/** Copies a text to the clipboard, which needs a secure context; otherwise the user is told. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    toast.error(t('ui-copy-refused'))
    return false
  }
}

/** An id, digest or command that can be copied. `short` shows only its beginning. */
export function Copyable({ text, short, plain }: { text: string; short?: number; plain?: boolean }) {
  const [done, setDone] = useState(false)
  const visible = short !== undefined && text.length > short ? `${text.slice(0, short)}…` : text
  const copy = async () => {
    if (!(await copyText(text))) return
    setDone(true)
    setTimeout(() => setDone(false), 1200)
  }
  return (
    <span className="g-copy">
      <span className={plain ? '' : 'g-mono'} title={visible === text ? undefined : text}>
        {visible}
      </span>
      <button
        type="button"
        className="g-copy-button"
        aria-label={t('ui-copy-what', { text })}
        onClick={() => void copy()}
      >
        <Icon name={done ? 'check' : 'copy'} size={14} />
      </button>
    </span>
  )
}
