import { Tooltip, type TooltipRef } from 'antd'
import {
  useEffect,
  useId,
  useLayoutEffect,
  useReducer,
  useRef,
  type FocusEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { store, useStore } from '../../api/store.ts'

interface Hint {
  /** Identifies the element, by an id from `useHint`. */
  owner: string
  at: HTMLElement
  words: ReactNode
  side: 'top' | 'right'
}

/**
 * The one visible hint. A page has hundreds of elements with a hint; a tooltip for each would cost as much as the rest
 * of the page.
 */
const shownHint = store<Hint | undefined>(undefined)

const hintId = 'g-hint'
/** How long a pointer rests before the hint appears, and how long it may take to reach the hint. */
const restMs = 100
/** The hint that will be shown after the pause. */
let next: Hint | undefined
let timer: ReturnType<typeof setTimeout> | undefined

function show(hint: Hint | undefined, afterMs = 0): void {
  clearTimeout(timer)
  next = hint
  if (afterMs === 0) shownHint.set(hint)
  else timer = setTimeout(() => shownHint.set(next), afterMs)
}

/** Changes the present or the next hint of one owner. */
function change(owner: string, to: (hint: Hint) => Hint | undefined): void {
  if (next?.owner === owner) next = to(next)
  shownHint.set((now) => (now?.owner === owner ? to(now) : now))
}

interface HintOptions {
  side?: Hint['side']
  /** Show it on keyboard focus too, without a pause, because a screen reader reads the description at this moment. */
  focus?: boolean
}

/** The props of an element whose hint appears when a pointer rests on it; empty without a text. */
export function useHint(words: ReactNode, { side = 'top', focus = false }: HintOptions = {}) {
  const owner = useId()
  const silent = words === undefined || words === ''
  // The text may change, or disappear, while it is shown.
  useEffect(() => change(owner, (hint) => (silent ? undefined : { ...hint, words })), [owner, words, silent])
  useEffect(() => () => change(owner, () => undefined), [owner])
  if (silent) return {}
  const hint = (event: MouseEvent | FocusEvent): Hint => ({
    owner,
    at: event.currentTarget as HTMLElement,
    words,
    side,
  })
  return {
    onMouseEnter: (event: MouseEvent) => show(hint(event), restMs),
    onMouseLeave: () => show(undefined, restMs),
    ...(focus && { onFocus: (event: FocusEvent) => show(hint(event)), onBlur: () => show(undefined) }),
  }
}

/** Whether a text is clipped, that is, ends in an ellipsis. */
const isClipped = (box: HTMLElement): boolean =>
  [...box.querySelectorAll<HTMLElement>('*')].some(
    (inner) => inner.scrollWidth > inner.clientWidth + 1 && getComputedStyle(inner).textOverflow === 'ellipsis',
  )

/**
 * The props of a container whose parts, found by a selector, show their text as a hint if it is clipped: under the
 * pointer, and while something in them has the focus. A part with a hint of its own keeps that.
 */
export function useClippedHint(parts: string) {
  const owner = useId()
  useEffect(() => () => change(owner, () => undefined), [owner])
  const hintFor = ({ target }: MouseEvent | FocusEvent): Hint | undefined => {
    const at = target instanceof Element ? target.closest<HTMLElement>(parts) : null
    if (!at || (target as Element).closest('[title], time, button') || !isClipped(at)) return undefined
    return { owner, at, words: at.innerText, side: 'top' }
  }
  const showFor = (event: MouseEvent | FocusEvent, afterMs: number) => {
    const hint = hintFor(event)
    if (hint) show(hint, afterMs)
  }
  const hide = (afterMs: number) => {
    if (next?.owner === owner) show(undefined, afterMs)
  }
  return {
    onMouseOver: (event: MouseEvent) => showFor(event, restMs),
    onMouseOut: () => hide(restMs),
    onFocus: (event: FocusEvent) => showFor(event, 0),
    onBlur: () => hide(0),
  }
}

/**
 * Renders the hint beside its element, following scrolling. It stays while the pointer is on it, and closes with
 * Escape.
 */
export function HintHost() {
  const hint = useStore(shownHint)
  const at = hint?.at
  const box = useRef<TooltipRef>(null)
  const [, moved] = useReducer((times: number) => times + 1, 0)
  useLayoutEffect(() => {
    if (!at) return undefined
    at.setAttribute('aria-describedby', hintId)
    const follow = ({ target }: Event) => {
      if (!(target instanceof Element) || target.contains(at)) moved()
    }
    for (const event of ['scroll', 'resize']) window.addEventListener(event, follow, true)
    return () => {
      at.removeAttribute('aria-describedby')
      for (const event of ['scroll', 'resize']) window.removeEventListener(event, follow, true)
    }
  }, [at])
  useLayoutEffect(() => box.current?.forceAlign())
  if (!hint) return null
  const { left, top, width, height } = hint.at.getBoundingClientRect()
  return (
    <Tooltip
      key={hint.owner}
      ref={box}
      open
      // Escape closes it, unless something is above it.
      onOpenChange={(open) => open || show(undefined)}
      id={hintId}
      placement={hint.side}
      // Above nested dialogs; below toasts.
      zIndex={1990}
      styles={{ container: { padding: 0 } }}
      title={
        <div className="g-hint" onMouseEnter={() => show(hint)} onMouseLeave={() => show(undefined, restMs)}>
          {hint.words}
        </div>
      }
    >
      <span className="g-hint-place" style={{ left, top, width, height }} />
    </Tooltip>
  )
}
