import { reviews, type Review } from '@gantry/contract/pipelines/reviews'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { GoTo } from '../../../ui/link.tsx'
import { type Place, toPipeline } from '../pipelines/places.ts'
import { ForkPanel } from './fork-panel.tsx'
import { DecideDialog, type Decision } from './decide-dialog.tsx'
import { passedOf, Votes } from './votes.tsx'
import styles from './reviews.module.css'

interface PanelProps {
  pipeline: Place
  number: number
  /** The number of the build's merge request, where it is of one. */
  mergeRequest?: number | undefined
}

/** On the page of a build that waits for its review: how it stands, the decision, and the reviews before its retries. */
export function ReviewPanel({ pipeline, number, mergeRequest = 0 }: PanelProps) {
  const query = useRead(reviews.log, { params: { id: pipeline.id }, query: { number } })
  const deciding = useDialog<Decision>()
  const [review, ...earlier] = query.data?.items ?? []
  if (review?.state !== 'waiting') return null
  if (review.fork) return <ForkPanel pipelineId={pipeline.id} number={number} mergeRequest={mergeRequest} />
  return (
    <section className={styles.panel} aria-label={t('pipelines-ui-reviews')}>
      <div>
        <h2>{t('pipelines-ui-review-waits', { passed: passedOf(review), needed: review.needed })}</h2>
        {review.obstacle !== '' && <p className="g-quiet">{review.obstacle}</p>}
        {review.votes.length > 0 && <Votes votes={review.votes} />}
        {earlier.length > 0 && (
          <section aria-label={t('pipelines-ui-review-earlier')}>
            <h3>{t('pipelines-ui-review-earlier')}</h3>
            {earlier.map((one) => (
              <div key={one.round}>
                <StateBadge state={one.state} />
                <Votes votes={one.votes} />
              </div>
            ))}
          </section>
        )}
        <GoTo to={toPipeline('cd-examine', pipeline)}>{t('route-cd-examine')}</GoTo>
      </div>
      <Choices review={review} onChoose={deciding.show} />
      {deciding.open && <DecideDialog {...deciding.open} pipelineId={pipeline.id} onClose={deciding.hide} />}
    </section>
  )
}

function Choices({ review, onChoose }: { review: Review; onChoose: (decision: Decision) => void }) {
  const choice = { needs: 'pipeline_review_operate', disabled: review.obstacle !== '' && review.obstacle }
  return (
    <div className={styles.choices}>
      <Button {...choice} danger onClick={() => onChoose({ review, pass: false })}>
        {t('pipelines-ui-review-reject')}
      </Button>
      <Button {...choice} icon="check" onClick={() => onChoose({ review, pass: true })}>
        {t('pipelines-ui-review-pass')}
      </Button>
    </div>
  )
}
