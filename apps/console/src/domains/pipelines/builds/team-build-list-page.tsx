import { EndedWithin, type TeamBuild, teamBuilds } from '@gantry/contract/pipelines/builds/team-builds'
import { t } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { toBuild, toPipeline } from '../pipelines/places.ts'
import { buildColumns, useBuildActions } from './build-cells.tsx'
import { buildFilterDefaults, useBuildFilters } from './build-filters.ts'

const placeOf = ({ pipelineId, appId }: TeamBuild) => ({ id: pipelineId, appId })

/** The present and past builds of all pipelines of a team. */
export function TeamBuildListPage() {
  const teamId = useTeamId()
  const go = useGo()
  const list = useListState('cd-builds', { filters: { ...buildFilterDefaults, ended: 'all' } })
  const query = useRead(teamBuilds.list, { params: { teamId }, query: list.query })
  const filters = useBuildFilters(teamId, list)
  const actionsOf = useBuildActions()
  return (
    <Page
      title={t('route-cd-builds')}
      about={t('pipelines-ui-team-builds-about')}
      crumbs={[{ label: t('route-pipeline-v1-list'), to: to('pipeline-v1-list', {}) }]}
    >
      <ResourceTable
        label={t('route-cd-builds')}
        query={query}
        list={list}
        rowKey={(row) => row.queueId}
        nameOf={(row) => `${row.pipelineName} #${row.number}`}
        search={t('pipelines-ui-team-builds-search')}
        filters={[
          ...filters,
          {
            name: 'ended',
            label: t('pipelines-ui-within'),
            options: [
              { value: 'all', label: t('pipelines-ui-within-all') },
              ...EndedWithin.options.map((value) => ({ value, label: t(`pipelines-ui-within-${value}`) })),
            ],
          },
        ]}
        columns={[
          {
            key: 'pipeline',
            title: t('pipelines-ui-team-builds-pipeline'),
            cell: (row) => (
              <>
                {row.pipelineName} <span className="g-num">#{row.number}</span>
              </>
            ),
          },
          { key: 'group', title: t('pipelines-ui-group'), cell: (row) => row.groupName, extra: true },
          ...buildColumns(),
        ]}
        open={(row) => toBuild(placeOf(row), row.number)}
        actions={(row) => [
          ...actionsOf(placeOf(row), row),
          {
            key: 'pipeline',
            label: t('pipelines-ui-open-pipeline'),
            icon: 'pipeline',
            onClick: () => go(toPipeline('cd-history', placeOf(row))),
          },
        ]}
        empty={{
          type: 1,
          title: t('pipelines-ui-no-builds'),
          memo: t('pipelines-ui-no-team-builds-memo'),
          add: {
            label: t('pipelines-ui-create'),
            needs: to('cd-create'),
            onClick: () => go(to('cd-create')),
          },
        }}
      />
    </Page>
  )
}
