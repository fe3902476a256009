import { useEffect, useState } from 'react'
import { t } from '../../api/language.ts'
import { dismiss, notificationMs, showing, toastMs, type Notice, type Tone } from '../../api/notices.ts'
import { useStore } from '../../api/store.ts'
import { copyText } from '../copyable.tsx'
import { Icon, type IconName } from '../icon.tsx'

export const toneIcons: Record<Tone, IconName> = { ok: 'check', bad: 'error', warn: 'warn', info: 'info' }

/**
 * Toasts at the top, notifications at the right; each closes by itself, but not while the pointer or focus is on it.
 */
export function Toasts() {
  const list = useStore(showing)
  return (
    <div className="g-toasts" role="region" aria-label={t('ui-notices')} aria-live="polite">
      {list.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function Toast({ notice }: { notice: Notice }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return undefined
    const timer = setTimeout(() => dismiss(notice.id), notice.kind === 'toast' ? toastMs : notificationMs)
    return () => clearTimeout(timer)
  }, [held, notice.id, notice.kind])
  return (
    <div
      className={`g-toast g-toast-${notice.kind} g-tone-${notice.tone}`}
      role={notice.tone === 'bad' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={toneIcons[notice.tone]} />
      <div className="g-toast-words">
        {notice.title && <strong>{notice.title}</strong>}
        <span>{notice.text}</span>
      </div>
      {notice.tone === 'bad' && (
        <button type="button" className="g-bare" aria-label={t('ui-copy')} onClick={() => void copyText(notice.text)}>
          <Icon name="copy" size={14} />
        </button>
      )}
      <button type="button" className="g-bare" aria-label={t('ui-close')} onClick={() => dismiss(notice.id)}>
        <Icon name="close" size={14} />
      </button>
    </div>
  )
}
