import { useEffect, useEffectEvent } from 'react'
import { useUrlState } from './table/url-state.ts'

/**
 * What the address asks of the screen, as the search does: `?do=run`. Done once, as soon as the screen can, and then gone
 * from the address. Whoever makes a link decides nothing: what is asked for opens a dialog, and never acts by itself.
 */
export function useAsked(what: string, act: (() => void) | undefined): void {
  const [{ do: asked }, change] = useUrlState({ do: '' })
  const isDue = asked === what && act !== undefined
  const begin = useEffectEvent(() => {
    change({ do: '' }, { replace: true })
    act?.()
  })
  useEffect(() => {
    if (isDue) begin()
  }, [isDue])
}
