import { useState } from 'react'
import { t } from '../api/language.ts'
import { roving } from '../ui/focus/roving.ts'
import styles from './shell.module.css'

const drawn = (selector: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter((part) =>
    // A closed drawer menu is hidden by `visibility`.
    part.checkVisibility({ visibilityProperty: true }),
  )

/** The present sections of the screen, and the menu. */
const partsNow = (): HTMLElement[] => [...drawn('#content h2'), ...drawn('#navigation')]

const nameOf = (part: HTMLElement): string => part.getAttribute('aria-label') ?? part.innerText

const go = (part: HTMLElement | null): void => {
  if (!part) return
  part.tabIndex = -1
  part.focus()
  part.scrollIntoView({ block: 'nearest' })
}

/** The first tab stop of every screen, visible with the focus: links past the bars to the parts of the screen. */
export function SkipBar() {
  const [parts, setParts] = useState<readonly HTMLElement[]>([])
  return (
    <div
      role="menubar"
      aria-label={t('shell-skip-to')}
      className={styles.skip}
      ref={roving}
      onFocus={() => setParts(partsNow())}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setParts([])
      }}
    >
      <button type="button" role="menuitem" onClick={() => go(document.getElementById('content'))}>
        {t('shell-skip')}
      </button>
      {parts.map((part, at) => (
        <button key={at} type="button" role="menuitem" onClick={() => go(part)}>
          {nameOf(part)}
        </button>
      ))}
    </div>
  )
}
