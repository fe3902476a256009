import { useEffect, useRef } from 'react'
import { t } from '../api/language.ts'
import styles from './shell.module.css'
import { Dialog } from '../ui/feedback/dialog.tsx'

interface Shortcuts {
  palette: () => void
  shortcuts: () => void
  collapse: () => void
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], .xterm') !== null

/** Keys that work on every screen. Single letters only while nobody is typing. */
export function useShortcuts(does: Shortcuts): void {
  const latest = useRef(does)
  useEffect(() => {
    latest.current = does
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        latest.current.palette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === '?') latest.current.shortcuts()
      else if (event.key === '[') latest.current.collapse()
      else if (event.key === '/') {
        const box = document.querySelector<HTMLElement>('#content input[type=search]')
        if (!box) return
        event.preventDefault()
        box.focus()
      }
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

const list = [
  { keys: ['Ctrl', 'K'], what: 'shell-key-palette' },
  { keys: ['/'], what: 'shell-key-search' },
  { keys: ['['], what: 'shell-key-collapse' },
  { keys: ['?'], what: 'shell-key-shortcuts' },
  { keys: ['Esc'], what: 'shell-key-escape' },
] as const

export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('shell-shortcuts')} onClose={onClose} width={420}>
      <dl className={styles.keys}>
        {list.map(({ keys, what }) => (
          <div key={what}>
            <dt>{t(what)}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
