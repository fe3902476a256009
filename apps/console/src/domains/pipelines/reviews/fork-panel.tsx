import { reviews } from '@gantry/contract/pipelines/reviews'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './reviews.module.css'

interface ForkPanelProps {
  pipelineId: number
  number: number
  mergeRequest: number
}

/** On the page of a build of a fork that waits: what letting it pass means, and the button. Stopping it is the other way. */
export function ForkPanel({ pipelineId, number, mergeRequest }: ForkPanelProps) {
  const pass = useWrite(reviews.passFork, { done: 'pipelines-ui-fork-passed' })
  return (
    <section className={styles.panel} aria-label={t('pipelines-ui-reviews')}>
      <div>
        <h2>{t('pipelines-ui-fork-waits')}</h2>
        <p className="g-quiet">{t('pipelines-ui-fork-means', { number: mergeRequest })}</p>
      </div>
      <Button
        icon="check"
        needs="pipeline_build_execute"
        loading={pass.isPending}
        onClick={() => pass.mutate({ params: { id: pipelineId, number } })}
      >
        {t('pipelines-ui-fork-pass')}
      </Button>
    </section>
  )
}
