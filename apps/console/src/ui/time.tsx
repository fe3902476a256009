import { Tooltip } from 'antd'
import { useSyncExternalStore } from 'react'
import { exactTime, relativeTime, zoneName, type Moment } from './format.ts'

const minute = 30_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

/** One clock for all times on the page. */
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

/** A time as people say it, the exact one and its zone in a tooltip. */
export function Time({ at }: { at: Moment | null | undefined }) {
  useSyncExternalStore(followClock, () => now)
  if (at === null || at === undefined || at === '') return <span className="g-faint">–</span>
  const exact = `${exactTime(at)} ${zoneName(at)}`
  return (
    <Tooltip title={exact}>
      <time className="g-num" dateTime={new Date(at).toISOString()} tabIndex={0} aria-label={exact}>
        {relativeTime(at)}
      </time>
    </Tooltip>
  )
}
