import { builds, type BuildSummary } from '@gantry/contract/pipelines/builds'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { BuildState } from '@gantry/contract/pipelines/states'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { call } from '../../../api/call.ts'
import { useLive } from '../../../api/use-push.ts'
import { confirm } from '../../../ui/feedback/dialog.tsx'
import { useGo } from '../../../ui/link.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Time } from '../../../ui/time.tsx'
import { Duration } from './duration.tsx'
import { PipelineFrame } from '../pipelines/pipeline-frame.tsx'
import { toArtifacts, toBuild } from '../pipelines/places.ts'
import { canStop, useStop } from './stop.ts'
import { causeOf, firstLine, shortCommit } from '../definition/words.ts'
import { Waiting } from './waiting.tsx'
import styles from './build.module.css'

export function BuildListPage() {
  return (
    <PipelineFrame screen="cd-history">
      {(pipeline, run) => <BuildList key={pipeline.id} pipeline={pipeline} run={run} />}
    </PipelineFrame>
  )
}

const states = ['all', ...BuildState.options] as const

function BuildList({ pipeline, run }: { pipeline: Pipeline; run: () => void }) {
  const go = useGo()
  const params = { id: pipeline.id }
  const list = useListState('cd-history', { filters: { state: 'all' } })
  const query = useLive(builds.list, { params, query: list.query }, { teamId: pipeline.teamId })
  const stop = useStop()
  const remove = useWrite(builds.remove, { done: 'delete-success', quiet: true })
  const needs = 'pipeline_build_execute'

  const askRemove = (row: BuildSummary) =>
    confirm({
      title: t('pipelines-ui-delete-build-title', { number: row.number }),
      goes: goesWith(row),
      danger: true,
      ok: t('ui-delete'),
      run: () => remove.mutateAsync({ named: `#${row.number}`, params: { ...params, number: row.number } }),
    })

  return (
    <>
      <Waiting pipeline={pipeline} />
      <ResourceTable
        label={t('route-cd-history')}
        query={query}
        list={list}
        rowKey={(row) => row.number}
        nameOf={(row) => t('pipelines-ui-build-number', { number: row.number })}
        filters={[
          {
            name: 'state',
            label: t('pipelines-ui-state'),
            options: states.map((value) => ({
              value,
              label: value === 'all' ? t('pipelines-ui-state-all') : t(`state-${value}`),
            })),
          },
        ]}
        columns={[
          { key: 'number', title: t('pipelines-ui-build'), cell: (row) => `#${row.number}`, width: 80 },
          { key: 'state', title: t('pipelines-ui-state'), cell: (row) => <StateBadge state={row.state} /> },
          { key: 'commit', title: t('pipelines-ui-commit'), cell: (row) => <Commit build={row} /> },
          { key: 'cause', title: t('pipelines-ui-cause'), cell: causeOf, wideOnly: true },
          {
            key: 'duration',
            title: t('pipelines-ui-duration'),
            cell: (row) => <Duration from={row.startedAt} to={row.endedAt} />,
          },
          { key: 'tests', title: t('pipelines-ui-tests'), cell: (row) => <Tests build={row} /> },
          { key: 'agent', title: t('pipelines-ui-agent'), cell: (row) => row.agentName || '–', wideOnly: true },
          { key: 'queuedAt', title: t('pipelines-ui-queued-at'), cell: (row) => <Time at={row.queuedAt} /> },
        ]}
        open={(row) => toBuild(pipeline, row.number)}
        actions={(row) => [
          {
            key: 'open',
            label: t('pipelines-ui-open-log'),
            icon: 'log',
            onClick: () => go(toBuild(pipeline, row.number)),
          },
          ...(row.artifactNum > 0
            ? [
                {
                  key: 'artifacts',
                  label: t('pipelines-ui-artifacts-count', { count: row.artifactNum }),
                  icon: 'archive' as const,
                  onClick: () => go(toArtifacts(pipeline, row.number)),
                },
              ]
            : []),
          {
            key: 'stop',
            label: t(row.state === 'queued' ? 'pipelines-ui-cancel' : 'pipelines-ui-stop'),
            icon: 'stop',
            needs,
            disabled: !canStop(row) && t('pipelines-ui-stop-ended', { number: row.number }),
            onClick: () => stop(pipeline.id, row),
          },
          {
            key: 'delete',
            label: t('ui-delete'),
            icon: 'delete',
            danger: true,
            needs: 'pipeline_build_delete',
            disabled: canStop(row) && t('pipelines-ui-delete-running'),
            onClick: () => void askRemove(row),
          },
        ]}
        bulk={[
          {
            key: 'delete',
            label: t('ui-delete'),
            needs: 'pipeline_build_delete',
            danger: true,
            ask: t('pipelines-ui-delete-builds-ask'),
            run: (row) => call(builds.remove, { params: { ...params, number: row.number } }),
          },
        ]}
        empty={{
          type: 1,
          title: t('pipelines-ui-no-builds'),
          memo: t('pipelines-ui-no-builds-memo'),
          add: { label: t('pipelines-ui-run-first'), needs, onClick: run },
        }}
      />
    </>
  )
}

const goesWith = (build: BuildSummary): string[] => [
  t('pipelines-ui-goes-log'),
  ...(build.artifactNum > 0 ? [t('pipelines-ui-artifacts-count', { count: build.artifactNum })] : []),
  ...(build.tests ? [t('pipelines-ui-goes-tests', { count: build.tests.total })] : []),
]

function Commit({ build }: { build: BuildSummary }) {
  const ref = build.tag === '' ? build.branch : build.tag
  if (ref === '' && build.commit === '') return <span className="g-faint">–</span>
  return (
    <span className={styles.commit}>
      {build.commitMessage !== '' && <span className="g-clip">{firstLine(build.commitMessage)}</span>}
      <span className="g-mono g-quiet">
        {ref}
        {build.commit !== '' && `@${shortCommit(build.commit)}`}
      </span>
    </span>
  )
}

function Tests({ build: { tests } }: { build: BuildSummary }) {
  if (!tests) return <span className="g-faint">–</span>
  return (
    <span className="g-num">
      {tests.failed > 0 ? (
        <span className="g-bad">{t('pipelines-ui-tests-failed-of', { failed: tests.failed, total: tests.total })}</span>
      ) : (
        t('pipelines-ui-tests-passed', { count: tests.total - tests.skipped })
      )}
    </span>
  )
}
