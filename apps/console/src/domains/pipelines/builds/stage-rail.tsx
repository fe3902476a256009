import type { Build } from '@gantry/contract/pipelines/builds'
import { t } from '../../../api/language.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Duration } from './duration.tsx'
import { stepTypeOf } from '../definition/words.ts'
import styles from './build.module.css'

interface RailProps {
  build: Build
  chosen: number | undefined
  choose: (step: number) => void
}

/** The stages from left to right, each with its steps as rows; a step opens its log. */
export function StageRail({ build, chosen, choose }: RailProps) {
  return (
    <ol className={styles.rail} aria-label={t('pipelines-ui-stages')}>
      {build.stages.map((stage) => (
        <li key={stage.name} className={styles.stage}>
          <h2>
            <span className="g-clip">{stage.name}</span>
            <StateBadge state={stage.state} />
          </h2>
          <ul>
            {stage.steps.map((step) => (
              <li key={step.index}>
                <button
                  type="button"
                  className={styles.step}
                  aria-current={step.index === chosen ? 'step' : undefined}
                  onClick={() => choose(step.index)}
                >
                  <StateBadge state={step.state} text="" />
                  <span className="g-hidden">
                    {t(`state-${step.state === 'not_built' ? 'not-built' : step.state}`)}
                  </span>
                  <span className={styles.stepName}>
                    <span className="g-clip">{step.name}</span>
                    {stepTypeOf(step.type) !== step.name && <span className="g-quiet">{stepTypeOf(step.type)}</span>}
                  </span>
                  {step.startedAt !== null && <Duration from={step.startedAt} to={step.endedAt} />}
                </button>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}
