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

/** Mounted again when something begins to run, so that its first figure is current. */
function Counting({ from }: { from: string }) {
  const now = useSecond()
  return elapsed(from, null, now)
}

/** From a start to an end; without the end it counts. */
export function Duration({ from, to }: { from: string | null; to: string | null }) {
  if (from === null) return <span className="g-faint">–</span>
  return (
    <span className="g-num g-nowrap">{to === null ? <Counting from={from} /> : elapsed(from, to, Date.parse(to))}</span>
  )
}
