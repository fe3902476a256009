import type { Build } from '@gantry/contract/pipelines/builds'
import { isEnded } from '@gantry/contract/pipelines/states'
import { t } from '../../../api/language.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { toneOf } from '../../../ui/feedback/states.ts'
import { duration } from '../../../ui/format.ts'
import { Duration, useSecond } from '../builds/duration.tsx'
import { type Bar, timelineOf } from './timeline.ts'
import styles from './timeline.module.css'

const classes = { wait: styles.wait, stage: styles.stage, job: styles.job, step: styles.step }

interface TimelineProps {
  build: Build
  choose: (step: number) => void
}

/** What ran when: waits, stages, jobs and steps as bars over the build's duration; a step opens its log. */
export function BuildTimeline(props: TimelineProps) {
  return isEnded(props.build.state) ? <Bars {...props} now={0} /> : <LiveBars {...props} />
}

function LiveBars(props: TimelineProps) {
  return <Bars {...props} now={useSecond()} />
}

function Bars({ build, choose, now }: TimelineProps & { now: number }) {
  const { ms, bars } = timelineOf(build, now)
  if (bars.length === 0)
    return <EmptyState type={1} title={t('pipelines-ui-timeline-none')} memo={t('pipelines-ui-timeline-none-memo')} />
  return (
    <div>
      <p className={`${styles.scale} g-num`} aria-hidden>
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <span key={part}>{part === 0 ? '0' : duration(ms * part)}</span>
        ))}
      </p>
      <ol className={styles.bars} aria-label={t('pipelines-ui-timeline')}>
        {bars.map((bar) => (
          <li key={bar.key} className={classes[bar.kind]}>
            <span className={styles.label}>
              <StateBadge state={bar.state} text="" />
              <Label bar={bar} choose={choose} />
            </span>
            <span className={styles.track}>
              <span
                className={styles.bar}
                data-tone={toneOf(bar.state) ?? 'idle'}
                style={{ left: `${bar.from * 100}%`, width: `${(bar.to - bar.from) * 100}%` }}
              />
            </span>
            <span className={styles.took}>
              <Duration key={bar.startedAt} from={bar.startedAt} to={bar.endedAt} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

function Label({ bar, choose }: { bar: Bar; choose: (step: number) => void }) {
  const { step, wait } = bar
  if (wait !== undefined) return <span className="g-quiet g-clip">{t(`pipelines-ui-wait-${wait}`)}</span>
  if (step === undefined) return <span className="g-clip">{bar.label}</span>
  return (
    <button type="button" className={`${styles.open} g-clip`} onClick={() => choose(step)}>
      {bar.label}
    </button>
  )
}
