import { useEffect, useState } from 'react'
import { stopOf } from './roving.ts'

/**
 * Remembers what has the focus. The function that it returns brings the focus back there, or, once that is gone, to the
 * nearest thing around it that can have it: the row that took its place, the dialog, the screen.
 */
export function holdPlace(): () => void {
  const way: Element[] = []
  for (let at = document.activeElement; at; at = at.parentElement) way.push(at)
  return () => {
    for (const step of way) {
      if (!step.isConnected) continue
      const goal = stopOf(step) ?? step
      if (!(goal instanceof HTMLElement) || goal.matches(':disabled')) continue
      goal.focus({ preventScroll: goal.tabIndex < 0 })
      if (document.activeElement === goal && goal !== document.body) return
    }
  }
}

/** A browser takes the focus from what is disabled, but not at once. */
const isLost = (): boolean => {
  const now = document.activeElement
  return !now || now === document.body || now.matches(':disabled')
}

/** For what opens over the page: when it goes, the focus goes back to where it was, unless something else has taken it. */
export function useComeBack(): void {
  // Asked while it is first rendered: a field of it may take the focus before any effect runs.
  const [comeBack] = useState(holdPlace)
  useEffect(
    () => () => {
      if (isLost()) comeBack()
    },
    [comeBack],
  )
}

/** Until it is stopped, the focus never falls to the body because what had it was removed, hidden or disabled. */
export function keepFocus(): () => void {
  let held: { by: Element; comeBack: () => void } | undefined
  const hold = ({ target }: FocusEvent) => {
    if (target instanceof Element) held = { by: target, comeBack: holdPlace() }
  }
  // Who clicks beside everything has left it on purpose.
  const release = () => (held = undefined)
  const look = () => {
    if (!held || !isLost()) return
    const { by } = held
    if (!by.isConnected || by.matches(':disabled') || !by.checkVisibility()) held.comeBack()
  }
  const watch = new MutationObserver(look)
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden'] })
  addEventListener('focusin', hold)
  addEventListener('pointerdown', release, true)
  return () => {
    watch.disconnect()
    removeEventListener('focusin', hold)
    removeEventListener('pointerdown', release, true)
  }
}
