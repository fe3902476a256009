import type { Build } from '@gantry/contract/pipelines/builds'
import { t } from '../../api/language.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Duration } from './duration.tsx'
import { stepTypeOf } from './words.ts'

interface RailProps {
  build: Build
  chosen: number | undefined
  choose: (step: number) => void
}

/** The stages from left to right, each with its steps as rows; a step opens its log. */
export function StageRail({ build, chosen, choose }: RailProps) {
  return (
    <ol className="p-rail" aria-label={t('pipelines-ui-stages')}>
      {build.stages.map((stage) => (
        <li key={stage.name} className="p-stage">
          <h2>
            <span className="p-clip">{stage.name}</span>
            <StateBadge state={stage.state} />
          </h2>
          <ul>
            {stage.steps.map((step) => (
              <li key={step.index}>
                <button
                  type="button"
                  className="p-step"
                  aria-current={step.index === chosen ? 'step' : undefined}
                  onClick={() => choose(step.index)}
                >
                  <StateBadge state={step.state} text="" />
                  <span className="g-hidden">
                    {t(`state-${step.state === 'not_built' ? 'not-built' : step.state}`)}
                  </span>
                  <span className="p-step-name">
                    <span className="p-clip">{step.name}</span>
                    {stepTypeOf(step.type) !== step.name && <span className="p-quiet">{stepTypeOf(step.type)}</span>}
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
