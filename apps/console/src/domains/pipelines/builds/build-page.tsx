import { running } from '@gantry/contract/pipelines/running'
import { builds, type Build } from '@gantry/contract/pipelines/builds'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { isEnded } from '@gantry/contract/pipelines/states'
import { useRef } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { useParam } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { later } from '../../../ui/feedback/later.ts'
import { BuildIssues } from '../../trackers/public.tsx'
import { ScanCounts } from '../annotations/scan-counts.tsx'
import { BuildCoverage } from '../coverage/build-coverage.tsx'
import { BuildAnnotations } from '../annotations/build-annotations.tsx'
import { BuildTimeline } from '../timeline/build-timeline.tsx'
import { ArtifactTable } from '../uploads/artifact-table.tsx'
import { AttemptChoice } from '../attempts/attempt-choice.tsx'
import { BuildCodeQuality } from './build-code-quality.tsx'
import { BuildDeployments } from './build-deployments.tsx'
import { BuildFacts, BuildFailure } from './build-head.tsx'
import { BuildImages } from '../images/build-images.tsx'
import { BuildLog } from './build-log.tsx'
import { openableJobs } from '../terminals/openable-jobs.ts'
import { BuildTests } from './build-tests.tsx'
import { type ChosenAttempt, chosenAttempt, inAddress } from '../attempts/chosen-attempt.ts'
import { chosenStep, stepsOf } from './chosen-step.ts'
import { Withheld } from '../forks/withheld.tsx'
import { crumbsOf, usePipeline, usePipelineId } from '../pipelines/pipeline-frame.tsx'
import { ReviewPanel } from '../reviews/review-panel.tsx'
import { StagePanel } from '../reviews/stage-panel.tsx'
import { useRun } from '../pipelines/run.tsx'
import { StageRail } from './stage-rail.tsx'
import { canRetry, canStop, usePin, useRetry, useStop } from './stop.ts'
import { Waiting } from './waiting.tsx'
import styles from './build.module.css'

const BuildTerminal = later(async () => (await import('../terminals/build-terminal.tsx')).BuildTerminal)

/** If the push channel is down, a running build is polled. */
const askAgainMs = 5000

/** A build, followed until it ends. */
function useBuild(id: number, number: number) {
  const input = { params: { id, number } }
  const query = useRead(builds.get, input, { keep: false })
  const running = query.data !== undefined && !isEnded(query.data.state)
  useRead(builds.get, input, { enabled: running, every: running && askAgainMs })
  return query
}

export function BuildPage() {
  const id = usePipelineId()
  const number = Number(useParam('build_number'))
  const pipeline = usePipeline(id)
  const build = useBuild(id, number)
  const { run, busy, dialog } = useRun()
  const stop = useStop()
  const retry = useRetry()
  const pin = usePin()
  const one = build.data
  return (
    <Page
      title={
        <span className={styles.title}>
          {t('pipelines-ui-build-number', { number })} {one && <StateBadge state={one.state} />}
        </span>
      }
      object={pipeline.data && `${pipeline.data.projectName} #${number}`}
      crumbs={crumbsOf(pipeline.data, true)}
      actions={
        pipeline.data &&
        one && (
          <>
            <Button icon="lock" needs={running.pin} pressed={one.pinned} onClick={() => pin(id, one)}>
              {t(one.pinned ? 'pipelines-ui-unpin' : 'pipelines-ui-pin')}
            </Button>
            {canStop(one) ? (
              <Button danger icon="stop" needs={builds.stop} onClick={() => stop(id, { number, state: one.state })}>
                {t(one.state === 'queued' ? 'pipelines-ui-cancel' : 'pipelines-ui-stop')}
              </Button>
            ) : (
              <>
                {canRetry(one) && (
                  <Button icon="refresh" needs={builds.retry} onClick={() => retry(id, number)}>
                    {t('pipelines-ui-retry')}
                  </Button>
                )}
                <Button
                  primary
                  icon="play"
                  needs={builds.trigger}
                  loading={busy !== undefined}
                  onClick={() => pipeline.data && run(pipeline.data, { like: one })}
                >
                  {t('pipelines-ui-run-again')}
                </Button>
              </>
            )}
          </>
        )
      }
    >
      <Loaded query={pipeline}>
        {(data) => <Loaded query={build}>{(found) => <BuildView pipeline={data} build={found} />}</Loaded>}
      </Loaded>
      {dialog}
    </Page>
  )
}

/** A build; with an attempt of a job in the address, the results of that attempt. */
function BuildView({ pipeline, build }: { pipeline: Pipeline; build: Build }) {
  const [{ attempt }] = useUrlState({ attempt: '' })
  const of = chosenAttempt(build.attempts, attempt)
  const params = { id: build.pipelineId, number: build.number }
  const earlier = useRead(builds.get, { params, query: { ...of } }, { enabled: of !== undefined })
  if (!of) return <BuildBody pipeline={pipeline} build={build} displayed={build} />
  return (
    <Loaded query={earlier}>
      {(data) => <BuildBody pipeline={pipeline} build={build} displayed={data} of={of} />}
    </Loaded>
  )
}

interface BodyProps {
  pipeline: Pipeline
  build: Build
  /** The build with the results of the displayed attempt. */
  displayed: Build
  of?: ChosenAttempt | undefined
}

function BuildBody({ pipeline, build, displayed, of }: BodyProps) {
  const [{ step: wanted, tab }, setUrl] = useUrlState({ step: '', line: '', tab: 'log', attempt: '' })
  const step = chosenStep(displayed.stages, wanted, of?.job)
  const log = useRef<HTMLDivElement>(null)
  const choose = (index: number) => {
    const stays = of !== undefined && stepsOf(build.stages).find((one) => one.index === index)?.job === of.job
    setUrl({ step: String(index), line: '', tab: 'log', attempt: stays ? inAddress(of) : '' })
    requestAnimationFrame(() => log.current?.scrollIntoView({ block: 'nearest' }))
  }
  const failed = displayed.tests?.failed ?? 0
  const jobs = openableJobs(build.stages)
  const looked = of && build.attempts.find((one) => inAddress(one) === inAddress(of))
  const attempts = build.attempts.filter(({ job }) => job === (step?.job ?? 0))
  return (
    <>
      <BuildFacts build={build} repository={pipeline.repository?.url ?? ''} />
      <BuildIssues build={build} />
      <Removed build={build} />
      <BuildFailure
        build={displayed}
        attempt={looked}
        openStep={tab === 'log' ? step?.index : undefined}
        choose={choose}
      />
      {build.mergeRequest?.fork && <Withheld build={build} />}
      {build.reviewed && <ReviewPanel pipeline={pipeline} build={build} />}
      {(build.state === 'queued' || isQueued(build)) && <Waiting pipeline={pipeline} number={build.number} />}
      {build.definitionFile?.commit === '' && !isEnded(build.state) && (
        <p className="g-note" role="status">
          {t('pipelines-ui-build-reads', { path: build.definitionFile.path })}
        </p>
      )}
      <StagePanel build={build} />
      <BuildDeployments build={build} teamId={pipeline.teamId} />
      <StageRail build={displayed} chosen={step?.index} choose={choose} />
      <AttemptChoice
        attempts={attempts}
        displayed={of?.attempt ?? 0}
        choose={(one) => setUrl({ attempt: one ? inAddress(one) : '', step: '', line: '' })}
      />
      <Tabs
        tabs={[
          {
            key: 'log',
            label: t('pipelines-ui-log'),
            content: () => (
              <div ref={log}>
                <BuildLog key={of ? inAddress(of) : build.attempt} build={displayed} step={step} of={of} />
              </div>
            ),
          },
          ...(jobs.length > 0 || tab === 'terminal'
            ? [
                {
                  key: 'terminal',
                  label: t('pipelines-ui-terminal'),
                  content: () => <BuildTerminal build={build} jobs={jobs} />,
                },
              ]
            : []),
          {
            key: 'tests',
            label: <Counted label={t('pipelines-ui-tests')} count={displayed.tests?.total ?? 0} bad={failed > 0} />,
            content: () => <BuildTests build={displayed} of={of} />,
          },
          ...(hasStep(build, 'coverage')
            ? [{ key: 'coverage', label: t('pipelines-ui-coverage'), content: () => <BuildCoverage build={build} /> }]
            : []),
          ...(hasStep(build, 'code-quality')
            ? [
                {
                  key: 'code-quality',
                  label: t('code-quality-ui-tab'),
                  content: () => <BuildCodeQuality build={build} />,
                },
              ]
            : []),
          {
            key: 'artifacts',
            label: <Counted label={t('route-cd-build-artifacts')} count={displayed.artifactNum} />,
            content: () => <ArtifactTable pipelineId={build.pipelineId} number={build.number} of={of} />,
          },
          {
            key: 'images',
            label: <Counted label={t('route-cd-docker-image')} count={displayed.images.length} />,
            content: () => <BuildImages images={displayed.images} />,
          },
          {
            key: 'annotations',
            label: <Counted label={t('pipelines-ui-annotations')} count={build.annotationNum} />,
            content: () => (
              <>
                <ScanCounts build={build} />
                <BuildAnnotations
                  build={build}
                  show={(index, line) =>
                    setUrl({ step: String(index), line: line === null ? '' : String(line), tab: 'log', attempt: '' })
                  }
                />
              </>
            ),
          },
          {
            key: 'timeline',
            label: t('pipelines-ui-timeline'),
            content: () => <BuildTimeline build={displayed} choose={choose} />,
          },
        ]}
      />
    </>
  )
}

/** The data of a build that the pipeline's retention has removed. */
function Removed({ build }: { build: Build }) {
  const gone = build.emptiedAt
    ? [t('pipelines-ui-emptied')]
    : [
        build.logsRemovedAt && t('pipelines-ui-logs-removed'),
        build.artifactsRemovedAt && t('pipelines-ui-artifacts-removed'),
      ]
  return gone.map(
    (text) =>
      text && (
        <p key={text} className="g-note">
          {text}
        </p>
      ),
  )
}

/** Whether jobs wait for an agent. */
const isQueued = ({ stages }: Build): boolean => stages.some(({ jobs }) => jobs.some(({ state }) => state === 'queued'))

const hasStep = ({ stages }: Build, wanted: string): boolean =>
  stages.some(({ steps }) => steps.some(({ type }) => type === wanted))

function Counted({ label, count, bad = false }: { label: string; count: number; bad?: boolean }) {
  return (
    <>
      {label} {count > 0 && <span className={bad ? `${styles.count} ${styles.countBad}` : styles.count}>{count}</span>}
    </>
  )
}
