import type { ReactNode } from 'react'
import type { Build } from '@gantry/contract/pipelines/builds'
import type { BuildGate } from '@gantry/contract/pipelines/builds/gate'
import { t } from '../../../api/language.ts'
import { Time } from '../../../ui/time.tsx'
import { QuestionCard } from './question-card.tsx'
import { passedOf, Votes } from './votes.tsx'
import styles from './reviews.module.css'

/** The stage for which a build waits, with the decision; for earlier stages, their decisions. */
export function StagePanel({ build }: { build: Build }) {
  return build.stages.map(({ name, gate }) => {
    if (!gate) return null
    const label = `${t('pipelines-ui-gate-history')}: ${name}`
    const decided = gate.decisions.length > 0 && (
      <Votes votes={gate.decisions} stage={name} manual={gate.mode === 'manual'} label={label} />
    )
    if (build.state === 'waiting' && gate.state === 'waiting')
      return (
        <Waiting key={name} build={build} stage={name} gate={gate}>
          {decided}
        </Waiting>
      )
    return (
      decided && (
        <div key={name} className={styles.decided}>
          {decided}
        </div>
      )
    )
  })
}

interface WaitingProps {
  build: Build
  stage: string
  gate: BuildGate
  children: ReactNode
}

function Waiting({ build: { pipelineId, number }, stage, gate, children }: WaitingProps) {
  const who = [...gate.users, ...gate.roles]
  const agreed = passedOf({ votes: gate.decisions.filter(({ counts }) => counts) })
  return (
    <QuestionCard
      label={stage}
      title={
        gate.mode === 'manual'
          ? t('pipelines-ui-gate-manual', { stage })
          : t('pipelines-ui-gate-approve', { stage, count: agreed, wanted: gate.count })
      }
      question={{ kind: gate.mode === 'manual' ? 'start' : 'approval', pipelineId, number, stage }}
      obstacle={gate.obstacle}
    >
      <p className="g-quiet">
        {who.length > 0 && <>{t('pipelines-ui-gate-who', { who: who.join(', ') })} </>}
        {gate.until !== null && (
          <>
            {t('pipelines-ui-gate-until')} <Time at={gate.until} />
          </>
        )}
      </p>
      {Object.entries(gate.parameters).map(([name, value]) => (
        <span key={name} className={`g-mono ${styles.value}`}>
          {name}={value}
        </span>
      ))}
      {children}
    </QuestionCard>
  )
}
