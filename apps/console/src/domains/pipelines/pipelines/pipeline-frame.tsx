import { builds } from '@gantry/contract/pipelines/builds'
import type { ReactNode } from 'react'
import { pipelines, type Pipeline } from '@gantry/contract/pipelines/pipelines'
import { useRead } from '../../../api/hooks.ts'
import { t, type PhraseKey } from '../../../api/language.ts'
import { useAsked } from '../../../ui/asked.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { to, useGo, useParam } from '../../../ui/link.tsx'
import { Page, type Crumb } from '../../../ui/page.tsx'
import { Screens } from '../../../ui/tabs.tsx'
import { ActionMenu } from '../../../ui/table/row-actions.tsx'
import { useCopying } from './copying.tsx'
import { PauseNote, usePausing } from './pausing.tsx'
import { toPipeline, type PipelineScreen } from './places.ts'
import { useRemovePipeline } from './remove-pipeline.ts'
import { useRun } from './run.tsx'
import styles from './pipelines.module.css'

export const usePipelineId = (): number => Number(useParam('pipeline_id'))

export const usePipeline = (id: number) => useRead(pipelines.get, { params: { id } })

/** The breadcrumbs of a pipeline's screens: the list, its group, and on deeper screens the pipeline. */
export function crumbsOf(pipeline: Pipeline | undefined, self = false): Crumb[] {
  const list: Crumb = { label: t('route-pipeline-v1-list'), to: to('pipeline-v1-list') }
  if (!pipeline) return [list]
  return [
    list,
    { label: pipeline.groupName, to: to('pipeline-v1-list', {}, { groupId: pipeline.appId }) },
    ...(self ? [{ label: pipeline.projectName, to: toPipeline('cd-history', pipeline) }] : []),
  ]
}

const screens: readonly { screen: PipelineScreen; title: PhraseKey }[] = [
  { screen: 'cd-history', title: 'route-cd-history' },
  { screen: 'cd-docker-image', title: 'route-cd-docker-image' },
  { screen: 'cd-report', title: 'route-cd-report' },
  { screen: 'cd-examine', title: 'route-cd-examine' },
  { screen: 'cd-orchestration', title: 'route-cd-orchestration' },
  { screen: 'cd-setting', title: 'route-cd-setting' },
  { screen: 'cd-versions', title: 'route-cd-versions' },
]

/** Screens whose own primary button saves. */
const editing: ReadonlySet<PipelineScreen> = new Set(['cd-orchestration', 'cd-setting'])

interface FrameProps {
  screen: PipelineScreen
  children: (pipeline: Pipeline, run: () => void) => ReactNode
}

/** A pipeline's name, its tabs, and the button that runs it. */
export function PipelineFrame({ screen, children }: FrameProps) {
  const go = useGo()
  const query = usePipeline(usePipelineId())
  const { run, busy, dialog } = useRun()
  const remove = useRemovePipeline()
  const { copying, dialog: moving } = useCopying((moved) => go(toPipeline(screen, moved), { replace: true }))
  const pipeline = query.data
  const { pausing, dialog: asking } = usePausing(pipeline)
  const start = () => pipeline && run(pipeline)
  useAsked('run', pipeline && (() => run(pipeline, { ask: 'anyhow' })))
  return (
    <Page
      title={pipeline?.projectName ?? '…'}
      crumbs={crumbsOf(pipeline)}
      about={pipeline && <About pipeline={pipeline} />}
      actions={
        pipeline && (
          <>
            <ActionMenu
              label={t('ui-actions-of', { name: pipeline.projectName })}
              actions={[
                {
                  key: 'run-with',
                  label: t('pipelines-ui-run-with'),
                  icon: 'config',
                  needs: builds.stop,
                  onClick: () => run(pipeline, { ask: true }),
                },
                ...copying(pipeline),
                ...pausing,
                {
                  key: 'delete',
                  label: t('pipelines-ui-delete'),
                  icon: 'delete',
                  danger: true,
                  needs: pipelines.remove,
                  onClick: () =>
                    void remove(pipeline).then((gone) => gone && go(to('pipeline-v1-list'), { replace: true })),
                },
              ]}
            />
            <Button
              primary={!editing.has(screen)}
              icon="play"
              needs={builds.trigger}
              loading={busy !== undefined}
              onClick={start}
            >
              {t('pipelines-ui-run')}
            </Button>
          </>
        )
      }
    >
      {pipeline && (
        <Screens
          label={t('pipelines-ui-screens')}
          current={screen}
          screens={screens.map((one) => ({
            key: one.screen,
            label: t(one.title),
            to: toPipeline(one.screen, pipeline),
          }))}
        />
      )}
      {pipeline && <PauseNote paused={pipeline.paused} />}
      <Loaded query={query}>{(data) => children(data, start)}</Loaded>
      {dialog}
      {moving}
      {asking}
    </Page>
  )
}

function About({ pipeline: { repository, description } }: { pipeline: Pipeline }) {
  return (
    <>
      <span className="g-mono g-quiet">
        {repository ? `${repository.url} · ${repository.branch}` : t('pipelines-ui-no-repository')}
      </span>
      {description !== '' && <span className={styles.description}>{description}</span>}
    </>
  )
}
