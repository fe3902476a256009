import { useEffect, useState } from 'react'
import { t } from '../../api/language.ts'
import styles from './sample.module.css'

const tickMs = 100

/**
 * Seconds since the server queued the build. Clocks differ, so it is never negative; until the server reports the time,
 * it counts from its first render.
 */
export function Ticker({ from }: { from: string | undefined }) {
  const [mountedAt] = useState(() => Date.now())
  const [now, setNow] = useState(mountedAt)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, now - (from === undefined ? mountedAt : Date.parse(from))) / 1000
  return (
    <p className={`${styles.ticker} g-num`} role="timer" aria-label={t('sample-ui-elapsed')}>
      {seconds < 100 ? seconds.toFixed(1) : Math.round(seconds)}
      <span>{t('ui-unit-s')}</span>
    </p>
  )
}
