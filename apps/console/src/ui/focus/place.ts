import { useEffect, useState } from 'react'
import { stopOf } from './roving.ts'

/**
 * Remembers the focused element. The returned function focuses it again or, if it is gone, the nearest surrounding
 * element that can have the focus: the row that replaced it, the dialog, the screen.
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

/** A browser removes the focus from a disabled element, but not at once. */
const isLost = (): boolean => {
  const now = document.activeElement
  return !now || now === document.body || now.matches(':disabled')
}

/** For overlays: when it closes, the focus returns to where it was, unless something else has taken it. */
export function useComeBack(): void {
  // Recorded during the first render, because a field in it may take the focus before any effect runs.
  const [comeBack] = useState(holdPlace)
  useEffect(
    () => () => {
      if (isLost()) comeBack()
    },
    [comeBack],
  )
}

/** Until stopped, keeps the focus from falling to the body when its element is removed, hidden or disabled. */
export function keepFocus(): () => void {
  let focused: { by: Element; comeBack: () => void } | undefined
  const hold = ({ target }: FocusEvent) => {
    if (target instanceof Element) focused = { by: target, comeBack: holdPlace() }
  }
  // A click on the background removes the focus on purpose.
  const release = () => (focused = undefined)
  const look = () => {
    if (!focused || !isLost()) return
    const { by } = focused
    if (!by.isConnected || by.matches(':disabled') || !by.checkVisibility()) focused.comeBack()
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
