import { groups, type TeamGroup } from '@gantry/contract/pipelines/groups'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { count } from '../../../ui/format.ts'
import { to } from '../../../ui/link.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { timeColumn } from '../../../ui/table/time-column.tsx'

const columns: readonly Column<TeamGroup>[] = [
  { key: 'name', title: t('pipelines-ui-group'), cell: (row) => row.name },
  { key: 'team', title: t('pipelines-ui-team'), cell: (row) => row.teamName },
  {
    key: 'pipelineNum',
    title: t('route-pipeline-v1-list'),
    align: 'right',
    width: 112,
    cell: (row) => count(row.pipelineNum),
  },
  {
    key: 'description',
    title: t('pipelines-ui-description'),
    cell: (row) => row.description || <span className="g-faint">–</span>,
    wideOnly: true,
  },
  timeColumn('createdAt', t('pipelines-ui-created-at'), { wideOnly: true }),
]

/** The pipeline groups of every team, for administrators. */
export function AllGroupsPage() {
  const list = useListState('sys-cd-project')
  const query = useRead(groups.all, { query: list.query })
  return (
    <ListPage
      title={t('route-sys-cd-project')}
      about={t('pipelines-ui-all-groups-about')}
      query={query}
      list={list}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      search={t('pipelines-ui-all-groups-search')}
      columns={columns}
      open={(row) => to('pipeline-v1-list', { team_id: row.teamId }, { groupId: row.id })}
      empty={{ type: 1, title: t('pipelines-ui-no-groups'), memo: t('pipelines-ui-no-groups-memo') }}
    />
  )
}
