import type { Build } from '@gantry/contract/pipelines/builds'
import { isEnded } from '@gantry/contract/pipelines/states'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts } from '../../ui/detail.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { stepsOf } from './chosen-step.ts'
import { Duration } from './duration.tsx'
import { causeOf, firstLine } from './words.ts'

export function BuildFacts({ build }: { build: Build }) {
  const parameters = Object.entries(build.parameters)
  return (
    <Facts
      facts={[
        { label: t('pipelines-ui-duration'), value: <Duration from={build.startedAt} to={build.endedAt} /> },
        { label: t('pipelines-ui-cause'), value: causeOf(build) },
        {
          label: t('pipelines-ui-commit'),
          value: build.branch !== '' && (
            <>
              <span className="g-mono">{build.branch}</span>
              {build.commit !== '' && (
                <>
                  {' '}
                  <Copyable text={build.commit} short={8} />
                </>
              )}
              {build.commitMessage !== '' && <span className="p-message">{firstLine(build.commitMessage)}</span>}
            </>
          ),
        },
        { label: t('pipelines-ui-agent'), value: build.agentName },
        { label: t('pipelines-ui-queued-at'), value: <Time at={build.queuedAt} /> },
        ...(build.attempt > 1 ? [{ label: t('pipelines-ui-attempt'), value: build.attempt }] : []),
        ...(parameters.length > 0
          ? [
              {
                label: t('pipelines-ui-parameters'),
                wide: true,
                value: parameters.map(([name, value]) => (
                  <span key={name} className="g-mono p-parameter">
                    {name}={value}
                  </span>
                )),
              },
            ]
          : []),
      ]}
    />
  )
}

/** Why a build ended badly and what to do: its own words, and those of the step that broke it, with the way to its log. */
export function BuildFailure({ build, choose }: { build: Build; choose: (step: number) => void }) {
  if (!isEnded(build.state) || build.state === 'success') return null
  const broken = stepsOf(build.stages).find((step) => step.state === 'failed')
  const words = [...new Set([broken?.message, build.message].filter((text) => text !== undefined && text !== ''))]
  if (!broken && words.length === 0) return null
  return (
    <div className={build.state === 'failed' ? 'p-failure' : 'p-failure p-failure-warn'} role="status">
      <Icon name={build.state === 'failed' ? 'error' : 'warn'} size={20} />
      <div>
        {broken && (
          <h2>
            {t('pipelines-ui-step-failed', { step: broken.name })}
            {broken.exitCode !== null && (
              <span className="g-num"> · {t('pipelines-ui-exit-code', { code: broken.exitCode })}</span>
            )}
          </h2>
        )}
        {words.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      {broken && (
        <Button small icon="log" onClick={() => choose(broken.index)}>
          {t('pipelines-ui-show-log')}
        </Button>
      )}
    </div>
  )
}
