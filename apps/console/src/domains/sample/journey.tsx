import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { builds } from '@gantry/contract/pipelines/builds'
import { sample as calls, type Sample } from '@gantry/contract/sample/sample'
import { isEnded } from '@gantry/contract/pipelines/states'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useMay } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { confirm, useDialog } from '../../ui/feedback/dialog.tsx'
import { duration } from '../../ui/format.ts'
import { to, useGo } from '../../ui/link.tsx'
import { AnswerCard } from './answer-card.tsx'
import { CloneDialog } from './clone-dialog.tsx'
import { courseOf, isThrough, type MilestoneSpan, reached, travelMs } from './course.ts'
import { CourseList } from './course-list.tsx'
import { Scene } from './scene.tsx'
import { Ticker } from './ticker.tsx'
import { isMoving, useCreate, useJourney, useRemove } from './use-sample.ts'
import styles from './sample.module.css'

/** The sample's progress from the commit to an answer, and the actions afterwards. */
export function Journey({ teamId, sample }: { teamId: number; sample: Sample }) {
  const { build, answer, awaited } = useJourney(teamId, sample)
  const legs = courseOf(sample, build, answer)
  const removing = sample.state === 'removing'
  const stuck = !removing && isStuck(sample, legs)
  return (
    <div className={styles.journey}>
      <header className={styles.journeyHead}>
        <div>
          <p className={styles.eyebrow}>{t('sample-ui-eyebrow')}</p>
          <h2>{titleOf(sample, legs, travelMs(build, legs))}</h2>
          {removing && sample.reason !== '' && <p className={styles.lead}>{sample.reason}</p>}
          {stuck && <p className={styles.lead}>{sample.build?.message || t('sample-ui-parts-gone')}</p>}
          {!removing && sample.build?.state === 'queued' && <Waiting sample={sample} />}
        </div>
        {!removing && sample.build && !isEnded(sample.build.state) && <Ticker from={build?.queuedAt} />}
      </header>
      {!removing && (
        <div className={styles.journeyBody}>
          <CourseList sample={sample} build={build} answer={answer} legs={legs} />
          {/* The card of a service that was deployed long ago does not wait for the build. */}
          {isThrough(legs) || (sample.service && answer?.status === 200) || (awaited && !isMoving(sample)) ? (
            <AnswerCard teamId={teamId} sample={sample} answer={answer} moving={isMoving(sample)} />
          ) : (
            <Scene reached={reached(legs)} />
          )}
        </div>
      )}
      {!removing && (
        <footer className={`g-row ${styles.journeyFoot}`}>
          {stuck && <Continue teamId={teamId} />}
          <Sources teamId={teamId} sample={sample} />
          <Remove teamId={teamId} sample={sample} />
        </footer>
      )}
    </div>
  )
}

/** Why the build has not started: its place in the queue, and what occupies the agents. */
function Waiting({ sample: { pipeline, build } }: { sample: Sample }) {
  const enabled = useMay(builds.queue) && pipeline !== null
  const { data } = useRead(builds.queue, { params: { id: pipeline?.id ?? 0 } }, { enabled, every: 2000 })
  const entry = data?.find(({ number }) => number === build?.number)
  if (!entry) return null
  return (
    <p className={styles.lead} role="status">
      {[entry.reason, ...entry.agents.map(({ name, reason }) => `${name}: ${reason}`)].join(' · ')}
    </p>
  )
}

/** Whether it makes no further progress by itself. */
const isStuck = (sample: Sample, legs: readonly MilestoneSpan[]): boolean =>
  !isMoving(sample) &&
  (sample.pipeline === null ||
    sample.stack === null ||
    sample.product === null ||
    sample.build === null ||
    legs.some((leg) => leg.state === 'failed') ||
    (sample.service === null && sample.build.state === 'success'))

function titleOf(sample: Sample, legs: readonly MilestoneSpan[], ms: number | undefined): string {
  if (sample.state === 'removing') return t('sample-ui-removing')
  if (isStuck(sample, legs)) return t('sample-ui-stuck')
  if (sample.service?.state === 'upgraded') return t('sample-ui-upgraded', { version: sample.version })
  if (isThrough(legs) && ms !== undefined) return t('sample-ui-done', { time: duration(ms) })
  return t('sample-ui-under-way')
}

/** The sources of the sample: the repository, and the pipeline as text. */
function Sources({ teamId, sample: { commits, pipeline } }: { teamId: number; sample: Sample }) {
  const may = useMay(pipelines.get)
  const cloning = useDialog()
  const go = useGo()
  if (!may) return null
  return (
    <>
      {commits > 0 && (
        <Button quiet icon="code" onClick={() => cloning.show(true)}>
          {t('sample-ui-clone')}
        </Button>
      )}
      {pipeline && (
        <Button
          quiet
          icon="pipeline"
          onClick={() =>
            go(
              to(
                'cd-orchestration',
                { pipeline_group_id: pipeline.groupId, pipeline_id: pipeline.id },
                { view: 'yaml' },
              ),
            )
          }
        >
          {t('sample-ui-yaml')}
        </Button>
      )}
      {cloning.open && <CloneDialog teamId={teamId} onClose={cloning.hide} />}
    </>
  )
}

function Continue({ teamId }: { teamId: number }) {
  const create = useCreate()
  return (
    <Button
      primary
      icon="play"
      needs={calls.create}
      loading={create.isPending}
      onClick={() => create.mutate({ params: { teamId } })}
    >
      {t('sample-ui-continue')}
    </Button>
  )
}

function Remove({ teamId, sample }: { teamId: number; sample: Sample }) {
  const remove = useRemove()
  const [requested, setRequested] = useState(false)
  const { pipeline, stack, product } = sample
  const ask = async () => {
    setRequested(true)
    await confirm({
      title: t('sample-ui-remove-title'),
      goes: [
        ...(pipeline ? [t('sample-ui-remove-pipeline', { name: pipeline.name })] : []),
        ...(stack ? [t('sample-ui-remove-stack', { name: stack.name })] : []),
        ...(product ? [t('sample-ui-remove-product', { name: product.name })] : []),
        t('sample-ui-remove-repository'),
      ],
      danger: true,
      ok: t('sample-ui-remove'),
      run: () => remove.mutateAsync({ params: { teamId } }),
    })
    setRequested(false)
  }
  return (
    <Button quiet icon="delete" needs={calls.remove} loading={requested && remove.isPending} onClick={() => void ask()}>
      {t('sample-ui-remove')}
    </Button>
  )
}
