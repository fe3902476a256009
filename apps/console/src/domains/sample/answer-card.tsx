import type { Sample, SampleAnswer } from '@gantry/contract/sample/sample'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { useChange, useDecide } from './use-sample.ts'

interface AnswerProps {
  teamId: number
  sample: Sample
  answer: SampleAnswer | undefined
  moving: boolean
}

/** What the service says now, and what to try next: a change, then the decision about it. */
export function AnswerCard({ teamId, sample, answer, moving }: AnswerProps) {
  const change = useChange()
  const waits = sample.service?.state === 'upgraded'
  return (
    <div className="s-answer">
      <div className="s-screen" role="group" aria-label={t('sample-ui-answer')}>
        <div className="s-screen-bar">
          <span className="s-dots" aria-hidden />
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
              needs="pipeline_build_execute"
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

/** The upgrade runs beside what it can return to, until somebody decides. */
function Decision({ teamId, sample }: { teamId: number; sample: Sample }) {
  const decide = useDecide()
  const { service, stack } = sample
  if (!service || !stack) return null
  const act = (action: 'confirm' | 'rollBack') =>
    decide.mutate({ params: { teamId, envId: stack.envId, id: service.id }, query: { action } })
  const asked = decide.isPending ? decide.variables.query?.action : undefined
  return (
    <>
      <p>{t('sample-ui-decide-memo')}</p>
      <div className="g-row">
        <Button
          primary
          icon="check"
          needs="stack_service_operate"
          loading={asked === 'confirm'}
          onClick={() => act('confirm')}
        >
          {t('sample-ui-confirm')}
        </Button>
        <Button
          icon="rollback"
          needs="stack_service_operate"
          loading={asked === 'rollBack'}
          onClick={() => act('rollBack')}
        >
          {t('sample-ui-roll-back')}
        </Button>
      </div>
    </>
  )
}
