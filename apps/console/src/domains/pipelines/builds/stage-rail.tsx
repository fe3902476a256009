import type { Build, BuildJob, BuildStage, BuildStep } from '@gantry/contract/pipelines/builds'
import { isEnded, type JobState } from '@gantry/contract/pipelines/states'
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

type StepsProps = Omit<RailProps, 'build'> & { steps: readonly BuildStep[] }

/** The stages from left to right, each with its steps as rows, or with its jobs and their steps; a step opens its log. */
export function StageRail({ build, chosen, choose }: RailProps) {
  return (
    <ol className={styles.rail} aria-label={t('pipelines-ui-stages')}>
      {build.stages.map((stage) => (
        <li key={stage.name} className={styles.stage}>
          <h2>
            <span className="g-clip">{stage.name}</span>
            <StateBadge state={stateOf(build, stage)} />
          </h2>
          <Passed stage={stage} />
          {stage.jobs.length > 0 ? (
            <Jobs stage={stage} chosen={chosen} choose={choose} />
          ) : (
            <Steps steps={stage.steps} chosen={chosen} choose={choose} />
          )}
        </li>
      ))}
    </ol>
  )
}

/** A stage that waits for people shows that it needs a start or an approval. */
const stateOf = ({ state }: Build, { gate, ...stage }: BuildStage): string => {
  if (state !== 'waiting' || gate?.state !== 'waiting') return stage.state
  return gate.mode === 'manual' ? 'needs-start' : 'needs-approval'
}

/** For a stage that a retry did not run again: the attempt with its log and files. */
function Passed({ stage: { steps } }: { stage: BuildStage }) {
  const [first] = steps
  if (!first || first.passedIn === null) return null
  return <p className={styles.passed}>{t('pipelines-ui-stage-passed-in', { attempt: first.passedIn })}</p>
}

/** Up to this number all jobs are shown with their steps; beyond it only running, failed and selected ones. */
const openJobs = 3

/** Jobs by name; those of a matrix are distinguished by the values of its axes. */
function Jobs({ stage, chosen, choose }: { stage: BuildStage } & Omit<RailProps, 'build'>) {
  const names = [...new Set(stage.jobs.map(({ name }) => name))]
  return names.map((name) => {
    const jobs = stage.jobs.filter((job) => job.name === name)
    const matrix = jobs.length > 1 || Object.keys(jobs[0]?.matrix ?? {}).length > 0
    const ended = jobs.filter(({ state }) => isEnded(state)).length
    return (
      <section key={name} className={styles.jobs} aria-label={name}>
        {matrix && (
          <h3>
            <span className="g-clip">{name}</span>
            <span className="g-quiet g-num">{t('pipelines-ui-jobs-ended', { ended, count: jobs.length })}</span>
          </h3>
        )}
        {jobs.map((job) => {
          const steps = stage.steps.filter((step) => step.job === job.index)
          const isOpen =
            stage.jobs.length <= openJobs ||
            ['building', 'failed'].includes(job.state) ||
            steps.some(({ index }) => index === chosen)
          return (
            <details key={job.index} className={styles.job} open={isOpen}>
              <summary>
                <StateBadge state={job.state} text="" />
                <span className="g-hidden">{stateText(job.state)}</span>
                <span className="g-clip">{matrix ? valuesOf(job) : job.name}</span>
                {job.attempt > 1 && (
                  <span className="g-quiet">{t('pipelines-ui-job-attempt', { attempt: job.attempt })}</span>
                )}
                {job.startedAt !== null && <Duration from={job.startedAt} to={job.endedAt} />}
              </summary>
              {job.message !== '' &&
                job.state === 'failed' &&
                !steps.some(({ message }) => message === job.message) && <p className="g-bad g-small">{job.message}</p>}
              <Steps steps={steps} chosen={chosen} choose={choose} />
            </details>
          )
        })}
      </section>
    )
  })
}

const valuesOf = ({ matrix }: BuildJob): string =>
  Object.entries(matrix)
    .map(([axis, value]) => `${axis}=${value}`)
    .join(' ')

const stateText = (state: JobState): string => t(`state-${state === 'not_built' ? 'not-built' : state}`)

function Steps({ steps, chosen, choose }: StepsProps) {
  return (
    <ul>
      {steps.map((step) => (
        <li key={step.index}>
          <button
            type="button"
            className={styles.step}
            aria-current={step.index === chosen ? 'step' : undefined}
            onClick={() => choose(step.index)}
          >
            <StateBadge state={step.state} text="" />
            <span className="g-hidden">{stateText(step.state)}</span>
            <span className={styles.stepName}>
              <span className="g-clip">{step.name}</span>
              {stepTypeOf(step.type) !== step.name && <span className="g-quiet">{stepTypeOf(step.type)}</span>}
            </span>
            {step.startedAt !== null && <Duration from={step.startedAt} to={step.endedAt} />}
          </button>
        </li>
      ))}
    </ul>
  )
}
