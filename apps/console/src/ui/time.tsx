import { useSyncExternalStore } from 'react'
import { relativeTime, zonedTime, type Moment } from './format.ts'

const minute = 30_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

/** One timer for all times on the page. */
const followClock = (listener: () => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, minute)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** A relative time, with the exact one and its zone in a tooltip, which is also its description for screen readers. */
export function Time({ at }: { at: Moment | null | undefined }) {
  useSyncExternalStore(followClock, () => now)
  const exact = at === null || at === undefined || at === '' ? undefined : zonedTime(at)
  if (exact === undefined || !at) return <span className="g-faint">–</span>
  return (
    <time className="g-num" dateTime={new Date(at).toISOString()} title={exact}>
      {relativeTime(at)}
    </time>
  )
}
