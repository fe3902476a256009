import type { Review } from '@gantry/contract/pipelines/reviews'
import { t } from '../../../api/language.ts'
import { Time } from '../../../ui/time.tsx'
import styles from './reviews.module.css'

export const passedOf = ({ votes }: Pick<Review, 'votes'>): number => votes.filter(({ pass }) => pass).length

/** Who decided what, when and why. */
export function Votes({ votes }: Pick<Review, 'votes'>) {
  if (votes.length === 0) return <span className="g-faint">–</span>
  return (
    <ul className={styles.votes}>
      {votes.map(({ name, pass, reason, at }) => (
        <li key={`${name} ${at}`}>
          <span className={pass ? '' : 'g-bad'}>
            {t(pass ? 'pipelines-ui-review-passed-by' : 'pipelines-ui-review-rejected-by', { name })}
          </span>{' '}
          · <Time at={at} />
          {reason !== '' && <span className={`g-quiet ${styles.reason}`}>{reason}</span>}
        </li>
      ))}
    </ul>
  )
}
