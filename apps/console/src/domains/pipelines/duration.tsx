import { useEffect, useState } from 'react'
import { elapsed } from './elapsed.ts'
import './pipelines.css'

function useSecond(running: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return undefined
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [running])
  return now
}

/** From a start to an end; without the end it counts. */
export function Duration({ from, to }: { from: string | null; to: string | null }) {
  const now = useSecond(from !== null && to === null)
  const text = elapsed(from, to, now)
  return text === '' ? <span className="g-faint">–</span> : <span className="g-num p-nowrap">{text}</span>
}
