import type { Review } from '@gantry/contract/pipelines/reviews'
import { t } from '../../../api/language.ts'
import { Time } from '../../../ui/time.tsx'
import styles from './reviews.module.css'

export const passedOf = ({ votes }: Pick<Review, 'votes'>): number => votes.filter(({ pass }) => pass).length

type Vote = Review['votes'][number] & {
  /** False: it no longer counts. */
  counts?: boolean
  /** The values for which it was made. */
  parameters?: Record<string, string>
}

interface VotesProps {
  votes: readonly Vote[]
  label?: string
  /** The stage; absent: the whole build. */
  stage?: string
  /** The stage is started by hand, which is not an approval. */
  manual?: boolean
}

/** Who decided what, when, with which values, and why. */
export function Votes({ votes, label, stage, manual = false }: VotesProps) {
  if (votes.length === 0) return <span className="g-faint">–</span>
  const words = (pass: boolean, name: string) =>
    stage === undefined
      ? t(pass ? 'pipelines-ui-review-passed-by' : 'pipelines-ui-review-rejected-by', { name })
      : t(`pipelines-ui-gate-${pass ? (manual ? 'started' : 'passed') : 'rejected'}`, { name, stage })
  return (
    <ul className={styles.votes} aria-label={label}>
      {votes.map(({ name, pass, reason, at, counts = true, parameters = {} }) => (
        <li key={`${name} ${at}`} className={counts ? '' : 'g-quiet'}>
          <span className={pass ? '' : 'g-bad'}>{words(pass, name)}</span> · <Time at={at} />
          {Object.entries(parameters).map(([key, value]) => (
            <span key={key} className={`g-mono ${styles.value}`}>
              {key}={value}
            </span>
          ))}
          {!counts && <span> ({t('pipelines-ui-gate-void')})</span>}
          {reason !== '' && <span className={`g-quiet ${styles.reason}`}>{reason}</span>}
        </li>
      ))}
    </ul>
  )
}
