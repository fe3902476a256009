import { type JiraConfig, jiraConfigs } from '@gantry/contract/trackers/jira'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { JiraDialog } from './jira-dialog.tsx'

/** Connections to Jira, with the results of their last checks. */
export function JiraListPage() {
  const list = useListState('sys-jira')
  const query = useRead(jiraConfigs.list, { query: list.query })
  const dialog = useDialog<JiraConfig | 'new'>()
  const check = useWrite(jiraConfigs.check, { done: 'update-success' })
  const remove = useWrite(jiraConfigs.remove, { done: 'delete-success', quiet: true })
  const askRemove = ({ id, name }: JiraConfig) =>
    confirmDelete({
      title: t('trackers-ui-delete-title', { name }),
      goes: [t('trackers-ui-goes')],
      run: () => remove.mutateAsync({ named: name, params: { id } }),
    })
  return (
    <>
      <ListPage
        title={t('route-sys-jira')}
        about={t('trackers-ui-about')}
        add={{ label: t('trackers-ui-add'), onClick: () => dialog.show('new') }}
        query={query}
        list={list}
        search={t('trackers-ui-search')}
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        columns={[
          { key: 'name', title: t('trackers-ui-name'), sort: true, cell: (row) => row.name },
          { key: 'url', title: t('trackers-ui-url'), cell: (row) => <Copyable text={row.url} />, wideOnly: true },
          { key: 'projects', title: t('trackers-ui-projects'), cell: (row) => row.projects.join(', ') },
          { key: 'teams', title: t('trackers-ui-teams'), cell: teamsOf, wideOnly: true },
          { key: 'tells', title: t('trackers-ui-tells'), cell: tellsOf, wideOnly: true },
          { key: 'state', title: t('trackers-ui-state'), cell: (row) => <LastCheck config={row} /> },
          timeColumn('checkedAt', t('trackers-ui-checked'), { sort: true, wideOnly: true }),
        ]}
        actions={(row) => [
          {
            key: 'check',
            label: t('trackers-ui-check'),
            icon: 'link',
            onClick: () => check.mutate({ named: row.name, params: { id: row.id } }),
          },
          editAction({ onClick: () => dialog.show(row) }),
          deleteAction({ onClick: () => void askRemove(row) }),
        ]}
        empty={{ type: 1, title: t('trackers-ui-none'), memo: t('trackers-ui-none-memo') }}
      />
      {dialog.open && <JiraDialog {...(dialog.open === 'new' ? {} : { config: dialog.open })} onClose={dialog.hide} />}
    </>
  )
}

const teamsOf = ({ allTeams, teams }: JiraConfig): string => {
  if (allTeams) return t('trackers-ui-teams-all')
  return teams.map(({ name }) => name).join(', ') || t('trackers-ui-teams-none')
}

function tellsOf({ comment, transition }: JiraConfig): string {
  const updates = [
    ...(comment ? [t('trackers-ui-tells-comment')] : []),
    ...(transition === '' ? [] : [t('trackers-ui-tells-transition', { transition })]),
  ]
  return updates.join(', ') || t('trackers-ui-tells-nothing')
}

function LastCheck({ config: { problem, version, login } }: { config: JiraConfig }) {
  return problem === '' ? (
    <>
      <StateBadge state="ok" text={t('trackers-ui-reached')} />
      <div className="g-faint">{t('trackers-ui-info', { version, login })}</div>
    </>
  ) : (
    <>
      <StateBadge state="failing" text={t('trackers-ui-failing')} />
      <div className="g-faint">{problem}</div>
    </>
  )
}
