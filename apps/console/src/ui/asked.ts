import { useEffect, useEffectEvent } from 'react'
import { useUrlState } from './table/url-state.ts'

/**
 * An action that the address requests from the screen, as the search does: `?do=run`. Performed once, as soon as the
 * screen can, and then removed from the address. A link never acts by itself: the action only opens a dialog.
 */
export function useAsked(what: string, act: (() => void) | undefined): void {
  const [{ do: action }, change] = useUrlState({ do: '' })
  const isDue = action === what && act !== undefined
  const begin = useEffectEvent(() => {
    change({ do: '' }, { replace: true })
    act?.()
  })
  useEffect(() => {
    if (isDue) begin()
  }, [isDue])
}
