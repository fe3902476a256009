import { running } from '@gantry/contract/pipelines/running'
import { builds, type BuildSummary } from '@gantry/contract/pipelines/builds'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { call } from '../../../api/call.ts'
import { confirmDelete } from '../../../ui/feedback/dialog.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { deleteAction } from '../../../ui/table/row-actions.tsx'
import { PipelineFrame } from '../pipelines/pipeline-frame.tsx'
import { toBuild } from '../pipelines/places.ts'
import { useBuildsOfReport } from '../reports/builds-of-report.tsx'
import { canStop, usePin } from './stop.ts'
import { buildColumns, Numbered, useBuildActions } from './build-cells.tsx'
import { buildFilterDefaults, useBuildFilters } from './build-filters.ts'
import { Waiting } from './waiting.tsx'

export function BuildListPage() {
  return (
    <PipelineFrame screen="cd-history">
      {(pipeline, run) => <BuildList key={pipeline.id} pipeline={pipeline} run={run} />}
    </PipelineFrame>
  )
}

function BuildList({ pipeline, run }: { pipeline: Pipeline; run: () => void }) {
  const params = { id: pipeline.id }
  const { list, note } = useBuildsOfReport(useListState('cd-history', { filters: buildFilterDefaults }))
  const query = useRead(builds.list, { params, query: list.query })
  const filters = useBuildFilters(pipeline.teamId, list, pipeline.id)
  const actionsOf = useBuildActions()
  const pin = usePin()
  const remove = useWrite(builds.remove, { done: 'delete-success', quiet: true })
  const needs = builds.trigger

  const askRemove = (row: BuildSummary) =>
    confirmDelete({
      title: t('pipelines-ui-delete-build-title', { number: row.number }),
      goes: goesWith(row),
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
        search={t('pipelines-ui-builds-search')}
        filters={filters}
        toolbar={note}
        columns={[
          { key: 'number', title: t('pipelines-ui-build'), cell: (row) => <Numbered build={row} />, width: 112 },
          ...buildColumns(),
        ]}
        open={(row) => toBuild(pipeline, row.number)}
        actions={(row) => [
          ...actionsOf(pipeline, row),
          {
            key: 'pin',
            label: t(row.pinned ? 'pipelines-ui-unpin' : 'pipelines-ui-pin'),
            icon: 'lock',
            needs: running.pin,
            onClick: () => pin(pipeline.id, row),
          },
          deleteAction({
            needs: builds.remove,
            disabled:
              (canStop(row) && t('pipelines-ui-delete-running')) ||
              (row.pinned && t('pipelines-build-pinned', { number: row.number })),
            onClick: () => void askRemove(row),
          }),
        ]}
        bulk={[
          {
            key: 'delete',
            label: t('ui-delete'),
            needs: builds.remove,
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
