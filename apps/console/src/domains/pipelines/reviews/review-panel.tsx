import { reviews } from '@gantry/contract/pipelines/reviews'
import type { Build } from '@gantry/contract/pipelines/builds'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { GoTo } from '../../../ui/link.tsx'
import { type PipelinePlace, toPipeline } from '../pipelines/places.ts'
import { QuestionCard } from './question-card.tsx'
import { passedOf, Votes } from './votes.tsx'
import styles from './reviews.module.css'

interface PanelProps {
  pipeline: PipelinePlace
  build: Pick<Build, 'number' | 'state' | 'mergeRequest'>
}

/** The reviews of a build: the pending one with its votes and the decision, and who decided the others. */
export function ReviewPanel({ pipeline, build: { number, state, mergeRequest } }: PanelProps) {
  const query = useRead(reviews.log, { params: { id: pipeline.id }, query: { number } })
  const all = query.data?.items ?? []
  const review = state === 'waiting' && all[0]?.state === 'waiting' ? all[0] : undefined
  const earlier = all.filter((one) => one !== review && one.votes.length > 0)
  const decided = earlier.length > 0 && (
    <section aria-label={t('pipelines-ui-review-earlier')} className={review ? '' : styles.decided}>
      {earlier.map((one) => (
        <div key={one.round}>
          <StateBadge state={one.state} />
          <Votes votes={one.votes} />
        </div>
      ))}
    </section>
  )
  if (!review) return decided
  const question = { kind: review.fork ? 'fork' : 'review', pipelineId: pipeline.id, number } as const
  const label = t('pipelines-ui-reviews')
  if (review.fork)
    return (
      <QuestionCard label={label} title={t('pipelines-ui-fork-waits')} question={question} obstacle="">
        <p className="g-quiet">
          {mergeRequest && t('pipelines-ui-fork-of', { number: mergeRequest.number })} {t('pipelines-ui-fork-means')}
        </p>
        {decided}
      </QuestionCard>
    )
  return (
    <QuestionCard
      label={label}
      title={t('pipelines-ui-review-waits', { passed: passedOf(review), needed: review.needed })}
      question={question}
      obstacle={review.obstacle}
    >
      {review.votes.length > 0 && <Votes votes={review.votes} />}
      {decided}
      <GoTo to={toPipeline('cd-examine', pipeline)}>{t('route-cd-examine')}</GoTo>
    </QuestionCard>
  )
}
