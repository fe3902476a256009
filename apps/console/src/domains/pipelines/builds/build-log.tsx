import { builds, type Build } from '@gantry/contract/pipelines/builds'
import { isEnded } from '@gantry/contract/pipelines/states'
import { buildLogTopic } from '@gantry/contract/pipelines/topics'
import { useEffect } from 'react'
import { call } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { download } from '../../../api/transfer.ts'
import { usePush } from '../../../api/use-push.ts'
import { usePagedLog } from '../../../ui/log/log-feed.ts'
import { LogPane } from '../../../ui/log/log-pane.tsx'
import { useLogSearch, useServerHits, type Hits } from '../../../ui/log/log-search.ts'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { type ChosenAttempt, inAddress } from '../attempts/chosen-attempt.ts'
import type { PlacedStep } from './chosen-step.ts'
import { hitOf, partOf, type SearchPlace } from './log-part.ts'
import styles from './build.module.css'

interface Props {
  build: Build
  step: PlacedStep
  /** The displayed attempt; undefined: the latest. */
  of: ChosenAttempt | undefined
}

/** The log of one step, or before its start, or if it never started, the reason. The search covers all steps. */
export function BuildLog({ build, step, of }: Omit<Props, 'step'> & { step: PlacedStep | undefined }) {
  if (!step) return <p className="g-faint">{t('pipelines-ui-no-steps')}</p>
  // a step that does not run may have a reason
  if (step.message !== '' && (step.state === 'not_built' || step.state === 'pending'))
    return <p className={styles.noLog}>{step.message}</p>
  if (step.state === 'not_built') return <p className={styles.noLog}>{t('pipelines-ui-not-built')}</p>
  if (step.state === 'pending' && step.logLines === 0)
    return <p className={styles.noLog}>{t(`pipelines-ui-${whyNoLog(build, step)}`)}</p>
  return <StepLog build={build} step={step} of={of} />
}

function whyNoLog(build: Build, step: PlacedStep) {
  if (isEnded(build.state)) return 'not-built'
  return step.index === 0 || build.state === 'queued' ? 'step-queued' : 'step-pending'
}

function StepLog({ build, step, of }: Props) {
  const params = { id: build.pipelineId, number: build.number }
  const at = { ...params, stage: step.stage }
  const feed = usePagedLog(
    `${build.pipelineId}/${build.number}/${of ? inAddress(of) : build.attempt}/${step.index}`,
    (offset, limit) => call(builds.log, { params: at, query: { step: step.index, offset, limit, ...of } }).then(partOf),
  )
  usePush(
    [buildLogTopic],
    build,
    (content) => {
      if (!content || content.step === step.index) feed.wake()
    },
    feed.wake,
  )
  // The step has ended: its last lines are stored, and the server reports the log as complete.
  const { wake } = feed
  const ended = isEnded(step.state)
  useEffect(() => {
    if (ended) wake()
  }, [wake, ended])

  const [{ line, find: text }, setUrl] = useUrlState({ step: '', line: '', find: '' })
  const [found, more] = useServerHits((search, signal) => searchBuild(build, of, search, signal), text)
  const part = String(step.index)
  const hunt = useLogSearch({
    text,
    found,
    more,
    line,
    part,
    // The displayed step stays, even when another one begins.
    find: (next) => setUrl(next === '' ? { find: '' } : { find: next, step: part }, { replace: true }),
    go: (hit) => setUrl({ step: hit.part, line: String(hit.line) }, { replace: true }),
  })
  return (
    <LogPane
      feed={feed}
      name={t('pipelines-ui-log-of', { step: step.name })}
      retry={feed.wake}
      search={t('pipelines-ui-log-search')}
      hunt={hunt}
      part={part}
      linked={line}
      link={(n) => setUrl({ step: part, line: String(n) }, { replace: true })}
      onDownload={() => {
        const input = { params: { ...params, step: step.index }, query: { ...of } }
        download(builds.logFile, input, `${build.number}-${step.name}.log`).catch(toast.error)
      }}
      wider={{
        label: t('pipelines-ui-log-download-all'),
        onDownload: () => {
          download(builds.wholeLog, { params, query: { ...of } }, `build-${build.number}.log`).catch(toast.error)
        },
      }}
    />
  )
}

/** The hits in a build from a place on; if the server pauses without a hit, the search is continued. */
async function searchBuild(
  build: Build,
  of: ChosenAttempt | undefined,
  search: string,
  signal: AbortSignal,
  from?: SearchPlace,
): Promise<Hits> {
  const params = { id: build.pipelineId, number: build.number }
  const { hits, next } = await call(builds.searchLog, { params, query: { search, ...from, ...of } }, signal)
  if (next && hits.length === 0) return searchBuild(build, of, search, signal, next)
  return {
    hits: hits.map(hitOf),
    ...(next ? { more: (signal) => searchBuild(build, of, search, signal, next) } : {}),
  }
}
