import { builds, type Build } from '@gantry/contract/pipelines/builds'
import { isEnded } from '@gantry/contract/pipelines/states'
import { buildTopic } from '@gantry/contract/pipelines/topics'
import { useEffect } from 'react'
import { call } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { download } from '../../../api/transfer.ts'
import { usePush } from '../../../api/use-push.ts'
import { usePagedLog } from '../../../ui/log/log-feed.ts'
import { LogView } from '../../../ui/log/log-view.tsx'
import type { PlacedStep } from './chosen-step.ts'
import { hitsOf, partOf } from './log-part.ts'
import styles from './build.module.css'

/** So many hits of a search are listed at a time. */
const hitsAtOnce = 500

/** The log of one step; before it starts, and if it never did, why there is none. */
export function BuildLog({ build, step }: { build: Build; step: PlacedStep | undefined }) {
  if (!step) return <p className="g-faint">{t('pipelines-ui-no-steps')}</p>
  if (step.state === 'not_built') return <p className={styles.noLog}>{t('pipelines-ui-not-built')}</p>
  if (step.state === 'pending' && step.logLines === 0)
    return (
      <p className={styles.noLog}>{t(isEnded(build.state) ? 'pipelines-ui-not-built' : 'pipelines-ui-step-pending')}</p>
    )
  return <StepLog build={build} step={step} />
}

function StepLog({ build, step }: { build: Build; step: PlacedStep }) {
  const params = { id: build.pipelineId, number: build.number }
  const at = { ...params, stage: step.stage }
  const feed = usePagedLog(`${build.pipelineId}/${build.number}/${build.attempt}/${step.index}`, (offset, limit) =>
    call(builds.log, { params: at, query: { step: step.index, offset, limit } }).then(partOf),
  )
  usePush([buildTopic], build, (content) => {
    if (!content || ('step' in content && content.step === step.index)) feed.wake()
  })
  // The step ended: its last lines are stored, and the server says that the log is complete.
  const { wake } = feed
  const ended = isEnded(step.state)
  useEffect(() => {
    if (ended) wake()
  }, [wake, ended])
  return (
    <LogView
      feed={feed}
      name={t('pipelines-ui-log-of', { step: step.name })}
      retry={feed.wake}
      search={(search, offset) =>
        call(builds.log, { params: at, query: { step: step.index, search, offset, limit: hitsAtOnce } }).then(hitsOf)
      }
      onDownload={() => {
        const input = { params: { ...params, step: step.index } }
        download(builds.logFile, input, `${build.number}-${step.name}.log`).catch(toast.error)
      }}
    />
  )
}
