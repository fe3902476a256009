import type { BuildSummary } from '@gantry/contract/pipelines/builds'
import { useEffect, useState } from 'react'
import { elapsed } from './elapsed.ts'

/** The time now, each second. */
export function useSecond(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

interface Span {
  from: string | null
  to: string | null
  /** The running time before a retry, without waits. */
  earlierSeconds?: number
}

/** Remounted when something begins to run, so that its first figure is current. */
function Counting({ from, earlierSeconds }: Omit<Span, 'to'>) {
  const now = useSecond()
  return elapsed(from, null, now, earlierSeconds)
}

/** The time from a start to an end; without an end it counts up. */
export function Duration({ from, to, earlierSeconds = 0 }: Span) {
  if (from === null) return <span className="g-faint">–</span>
  return (
    <span className="g-num g-nowrap">
      {to === null ? (
        <Counting from={from} earlierSeconds={earlierSeconds} />
      ) : (
        elapsed(from, to, Date.parse(to), earlierSeconds)
      )}
    </span>
  )
}

/** The running time of a build: it stops while people are asked about a stage. */
export const BuildDuration = ({ build }: { build: BuildSummary }) => (
  <Duration
    from={build.startedAt}
    to={build.endedAt ?? build.askedAt}
    earlierSeconds={build.earlierSeconds - build.waitedSeconds}
  />
)
