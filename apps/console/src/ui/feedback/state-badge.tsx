import type { ReactNode } from 'react'
import { isPhrase, t } from '../../api/language.ts'
import { stateKey, toneOf, type StateTone } from './states.ts'

const shapes: Record<StateTone, ReactNode> = {
  ok: <path d="m3.2 6.2 2 2 3.6-4" />,
  bad: <path d="m3.8 3.8 4.4 4.4m0-4.4L3.8 8.2" />,
  warn: <path d="M6 3.2v3.2M6 8.7v.01" />,
  busy: <path className="g-turn" d="M6 2.5A3.5 3.5 0 1 1 2.5 6" />,
  wait: <path d="M6 3.5V6l1.6 1.2" />,
  idle: <path d="M3.8 6h4.4" />,
}

/** The specification's name of a state: lower case, `unknown` if it is empty. */
export const stateName = (state: string | null | undefined): string => (state ? state.toLowerCase() : 'unknown')

/**
 * A state as a shape, a word and a colour. The word is the phrase `state-<state>` if there is one; the tone is that of
 * the table of states, unless it is a word of Kubernetes.
 */
export function StateBadge({
  state,
  tone,
  text,
}: {
  state: string | null | undefined
  tone?: StateTone
  text?: string
}) {
  const name = stateName(state)
  const key = `state-${stateKey(state)}`
  const kind = tone ?? toneOf(state) ?? 'idle'
  return (
    <span className={`g-state g-state-${kind}`} data-state={name}>
      <svg
        width={16}
        height={16}
        viewBox="0 0 12 12"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.4}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
      >
        {shapes[kind]}
      </svg>
      {text ?? (isPhrase(key) ? t(key) : name)}
    </span>
  )
}
