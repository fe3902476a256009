import { teams, type Team } from '@gantry/contract/teams/teams'
import { t } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import type { Column } from '../../../ui/table/column.ts'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { to, useGo } from '../../../ui/link.tsx'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { deleteAction, editAction } from '../../../ui/table/row-actions.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { CreateTeamDialog } from './create-team-dialog.tsx'
import { useRemoveTeam } from './remove-team.ts'
import styles from './teams.module.css'

const columns = (): readonly Column<Team>[] => [
  { key: 'name', title: t('teams-ui-name'), sort: true, cell: (row) => row.name },
  {
    key: 'description',
    title: t('teams-ui-description'),
    wideOnly: true,
    cell: (row) => <span className={styles.clip}>{row.description || '–'}</span>,
  },
  {
    key: 'leaders',
    title: t('teams-ui-leaders'),
    cell: (row) => row.managers.join(', ') || <span className="g-faint">–</span>,
  },
  { key: 'members', title: t('route-team-members'), align: 'right', width: 96, cell: (row) => row.userNum },
  timeColumn('createdAt', t('teams-ui-created'), { sort: true, wideOnly: true }),
  timeColumn('updatedAt', t('ui-changed'), { wideOnly: true }),
  { key: 'updatedBy', title: t('ui-changed-by'), wideOnly: true, cell: (row) => row.updatedBy || '–' },
]

/** Every team of the installation, for administrators. */
export function TeamListPage() {
  const go = useGo()
  const list = useListState('sys-teams')
  const query = useRead(teams.list, { query: list.query })
  const creating = useDialog()
  const remove = useRemoveTeam()
  const edit = (id: number, tab?: string) => to('sys-team-edit', {}, { team_id: id, tab })
  return (
    <ListPage
      title={t('route-sys-teams')}
      about={t('teams-ui-about')}
      add={{ label: t('teams-ui-create'), onClick: () => creating.show(true) }}
      query={query}
      list={list}
      search={t('teams-ui-search')}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      columns={columns()}
      open={(row) => edit(row.id)}
      actions={(row) => [
        editAction({ onClick: () => go(edit(row.id)) }),
        {
          key: 'members',
          label: t('route-team-members'),
          icon: 'team',
          onClick: () => go(edit(row.id, 'members')),
        },
        {
          key: 'enter',
          label: t('teams-ui-enter'),
          icon: 'arrow',
          onClick: () => go(to('new-dashboard', { team_id: row.id })),
        },
        deleteAction({ onClick: () => void remove(row) }),
      ]}
      empty={{ type: 'other', title: t('teams-ui-none') }}
    >
      {creating.open && <CreateTeamDialog onClose={creating.hide} onDone={({ id }) => go(edit(id, 'members'))} />}
    </ListPage>
  )
}
