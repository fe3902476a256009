import { useEffect, useState } from 'react'
import { t } from '../../api/language.ts'
import styles from './auth.module.css'

/** Below this score a password is refused. */
export const minimumScore = 2

/** 0 to 4. The estimator and its word lists are large: loaded at the first input of a new password. */
export async function scoreOf(password: string): Promise<number> {
  const { estimate } = await import('./estimate.ts')
  return estimate(password)
}

const words = ['auth-strength-0', 'auth-strength-1', 'auth-strength-2', 'auth-strength-3', 'auth-strength-4'] as const

/** Shown only with input. */
export function StrengthMeter({ password }: { password: string }) {
  return password === '' ? null : <Meter password={password} />
}

/** While further input is being scored the previous score stays. */
function Meter({ password }: { password: string }) {
  const [score, setScore] = useState<number>()
  useEffect(() => {
    let current = true
    void scoreOf(password).then((value) => current && setScore(value))
    return () => {
      current = false
    }
  }, [password])
  if (score === undefined) return null
  return (
    <div
      className={styles.strength}
      role="meter"
      aria-label={t('auth-strength')}
      aria-valuemin={0}
      aria-valuemax={4}
      aria-valuenow={score}
    >
      {[1, 2, 3, 4].map((bar) => (
        <i key={bar} className={bar <= Math.max(1, score) ? styles.reached : ''} />
      ))}
      <span>{t(words[score] ?? 'auth-strength-0')}</span>
    </div>
  )
}
