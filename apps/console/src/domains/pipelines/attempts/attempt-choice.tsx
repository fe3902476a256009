import type { BuildAttempt } from '@gantry/contract/pipelines/builds/attempts'
import { Select } from 'antd'
import { t } from '../../../api/language.ts'
import { elapsed } from '../builds/elapsed.ts'
import styles from './attempts.module.css'

interface Props {
  /** The attempts of one job, the latest last. */
  attempts: readonly BuildAttempt[]
  /** The number of the displayed attempt. */
  displayed: number
  /** Undefined: the latest. */
  choose: (attempt: BuildAttempt | undefined) => void
}

/** Selects the attempt of a job to display, if there are several, and shows its outcome. */
export function AttemptChoice({ attempts, displayed, choose }: Props) {
  const latest = attempts.at(-1)
  const one = attempts.find(({ attempt }) => attempt === displayed) ?? latest
  if (attempts.length < 2 || !one || !latest) return null
  const { agentName, startedAt, endedAt } = one
  const over = attempts.find(
    ({ attempt, startsOver }) => startsOver && [one.attempt - 1, one.attempt].includes(attempt),
  )
  return (
    <div className={styles.attempt} role="group" aria-label={t('pipelines-ui-attempt')}>
      <Select
        aria-label={t('pipelines-ui-attempt')}
        value={one.attempt}
        options={attempts.map(({ attempt, state }) => ({
          value: attempt,
          label: t('pipelines-ui-attempt-of', {
            attempt,
            count: latest.attempt,
            state: t(`state-${state}`),
          }),
        }))}
        onChange={(attempt: number) =>
          choose(attempt === latest.attempt ? undefined : attempts.find((each) => each.attempt === attempt))
        }
      />
      <span className="g-quiet">
        {[agentName, endedAt === null ? '' : elapsed(startedAt, endedAt, 0)].filter((text) => text !== '').join(' · ')}
      </span>
      {over && <p className={styles.over}>{over.message}</p>}
    </div>
  )
}
