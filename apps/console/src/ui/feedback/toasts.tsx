import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../api/language.ts'
import { dismiss, notificationMs, showing, toastMs, type Notice, type Tone } from '../../api/notices.ts'
import { useStore } from '../../api/store.ts'
import { copyText } from '../copyable.tsx'
import { Icon, type IconName } from '../icon.tsx'
import { freeBottom } from './free-place.ts'

export const toneIcons: Record<Tone, IconName> = { ok: 'check', bad: 'error', warn: 'warn', info: 'info' }

/** Elements that no toast may cover. */
const controls = 'button, [role=button], input, textarea, .ant-select, .ant-pagination'
const margin = 16
/** Below the top bar. */
const topMost = 60
/** The interval at which the position is checked while a toast is shown, because a dialog may open under it. */
const pollMs = 200

/** The visible controls; if a dialog is open, only those of the topmost one. */
function obstacles(): DOMRect[] {
  const dialogs = [...document.querySelectorAll('.ant-modal-wrap, .ant-drawer')].filter((one) => one.clientHeight > 0)
  const root = dialogs.at(-1) ?? document
  return [...root.querySelectorAll(controls)]
    .filter((one) => !one.closest('.g-toasts'))
    .map((one) => one.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0)
}

/** Moves the box up, as far as needed to cover no control. */
function place(box: HTMLElement): void {
  const { left, right, height } = box.getBoundingClientRect()
  const space = { left, right, top: topMost, bottom: innerHeight - margin }
  box.style.bottom = `${innerHeight - freeBottom(space, height, obstacles())}px`
}

/**
 * Toasts and notifications at the lower right, covering no control; each closes by itself, but not while the pointer or
 * focus is on it. Errors interrupt a screen reader, others wait for it to finish.
 */
export function Toasts() {
  const list = useStore(showing)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const now = box.current
    if (!now || list.length === 0) return undefined
    place(now)
    const timer = setInterval(() => {
      // A toast under the pointer or with the focus does not move.
      if (!now.matches(':hover, :focus-within')) place(now)
    }, pollMs)
    return () => clearInterval(timer)
  }, [list])
  const of = (isError: boolean) =>
    list.filter(({ tone }) => (tone === 'bad') === isError).map((notice) => <Toast key={notice.id} notice={notice} />)
  // Both regions exist before their first message; otherwise it would not be announced.
  return (
    <div className="g-toasts" role="region" aria-label={t('ui-notices')} ref={box}>
      <div aria-live="polite">{of(false)}</div>
      <div aria-live="assertive">{of(true)}</div>
    </div>
  )
}

function Toast({ notice }: { notice: Notice }) {
  const [paused, setPaused] = useState(false)
  useEffect(() => {
    if (paused) return undefined
    const timer = setTimeout(() => dismiss(notice.id), notice.kind === 'toast' ? toastMs : notificationMs)
    return () => clearTimeout(timer)
  }, [paused, notice.id, notice.kind])
  return (
    <div
      className={`g-toast g-tone-${notice.tone}`}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
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
