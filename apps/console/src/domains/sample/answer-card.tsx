import { builds } from '@gantry/contract/pipelines/builds'
import type { Sample, SampleAnswer } from '@gantry/contract/sample/sample'
import { services } from '@gantry/contract/stacks/services'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { useChange, useDecide } from './use-sample.ts'
import styles from './sample.module.css'

interface AnswerProps {
  teamId: number
  sample: Sample
  answer: SampleAnswer | undefined
  moving: boolean
}

/** The service's present answer, and the next step: a change, then the decision about it. */
export function AnswerCard({ teamId, sample, answer, moving }: AnswerProps) {
  const change = useChange()
  const waits = sample.service?.state === 'upgraded'
  return (
    <div className={styles.answer}>
      <div className={styles.screen} role="group" aria-label={t('sample-ui-answer')}>
        <div className={styles.screenBar}>
          <span className={styles.dots} aria-hidden />
          <code>GET {new URL(sample.service?.url ?? 'http://-/').pathname.replace('/sandbox/services', '')}</code>
          {sample.service && <StateBadge state={sample.service.state} />}
        </div>
        <pre aria-live="polite">{answer?.text.trim() ?? ''}</pre>
      </div>
      {waits ? (
        <Decision teamId={teamId} sample={sample} />
      ) : (
        <>
          <p>{t('sample-ui-change-memo')}</p>
          <div className="g-row">
            <Button
              primary
              icon="edit"
              needs={builds.trigger}
              loading={change.isPending}
              disabled={moving && t('sample-ui-change-later')}
              onClick={() => change.mutate({ params: { teamId } })}
            >
              {t('sample-ui-change')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

/** The upgraded service runs, and can be confirmed or rolled back, until somebody decides. */
function Decision({ teamId, sample }: { teamId: number; sample: Sample }) {
  const { confirm, rollBack } = useDecide()
  const { service, stack } = sample
  if (!service || !stack) return null
  const input = { params: { teamId, envId: stack.envId, id: service.id } }
  return (
    <>
      <p>{t('sample-ui-decide-memo')}</p>
      <div className="g-row">
        <Button
          primary
          icon="check"
          needs={services.confirm}
          loading={confirm.isPending}
          onClick={() => confirm.mutate(input)}
        >
          {t('sample-ui-confirm')}
        </Button>
        <Button
          icon="rollback"
          needs={services.rollBack}
          loading={rollBack.isPending}
          onClick={() => rollBack.mutate(input)}
        >
          {t('sample-ui-roll-back')}
        </Button>
      </div>
    </>
  )
}
