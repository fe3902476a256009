import { Tooltip } from 'antd'
import { useEffect, useId, type FocusEvent, type MouseEvent, type ReactNode } from 'react'
import { store, useStore } from '../api/store.ts'

interface Hint {
  /** Whose it is: `useHint`'s. */
  owner: string
  at: HTMLElement
  words: ReactNode
  side: 'top' | 'right'
}

/** The one hint that is shown. A page has hundreds of things with a hint; a tooltip for each cost as much as all else that it draws. */
const shown = store<Hint | undefined>(undefined)

const hintId = 'g-hint'
/** So long a pointer rests before the words come, and may be on its way to them before they go. */
const restMs = 100
let timer: ReturnType<typeof setTimeout> | undefined

function soon(next: Hint | undefined): void {
  clearTimeout(timer)
  timer = setTimeout(() => shown.set(next), restMs)
}

function hide(): void {
  clearTimeout(timer)
  shown.set(undefined)
}

interface HintOptions {
  side?: Hint['side']
  /** Who comes by keyboard reads it as well. */
  focus?: boolean
}

/** The props of an element whose words show under a pointer that rests on it; nothing where there are no words. */
export function useHint(words: ReactNode, { side = 'top', focus = false }: HintOptions = {}) {
  const owner = useId()
  const silent = words === undefined || words === ''
  // What is said may change, or end, while it is shown.
  useEffect(() => shown.set((now) => (now?.owner !== owner ? now : silent ? undefined : { ...now, words })))
  useEffect(() => () => shown.set((now) => (now?.owner === owner ? undefined : now)), [owner])
  if (silent) return {}
  const hint = (event: MouseEvent | FocusEvent): Hint => ({
    owner,
    at: event.currentTarget as HTMLElement,
    words,
    side,
  })
  return {
    onMouseEnter: (event: MouseEvent) => soon(hint(event)),
    onMouseLeave: () => soon(undefined),
    ...(focus && { onFocus: (event: FocusEvent) => soon(hint(event)), onBlur: () => soon(undefined) }),
  }
}

/** Draws the hint beside what it is of. It stays while the pointer is on it, and goes with a scroll or Escape. */
export function HintHost() {
  const hint = useStore(shown)
  const at = hint?.at
  useEffect(() => {
    if (!at) return undefined
    at.setAttribute('aria-describedby', hintId)
    const byKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide()
    window.addEventListener('keydown', byKey, true)
    for (const event of ['scroll', 'resize']) window.addEventListener(event, hide, true)
    return () => {
      at.removeAttribute('aria-describedby')
      window.removeEventListener('keydown', byKey, true)
      for (const event of ['scroll', 'resize']) window.removeEventListener(event, hide, true)
    }
  }, [at])
  if (!hint) return null
  const { left, top, width, height } = hint.at.getBoundingClientRect()
  return (
    <Tooltip
      key={hint.owner}
      open
      id={hintId}
      placement={hint.side}
      // Over dialogs that were opened out of dialogs; below toasts.
      zIndex={1990}
      title={
        <div onMouseEnter={() => soon(hint)} onMouseLeave={() => soon(undefined)}>
          {hint.words}
        </div>
      }
    >
      <span className="g-hint-place" style={{ left, top, width, height }} />
    </Tooltip>
  )
}
