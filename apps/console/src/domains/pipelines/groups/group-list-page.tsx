import { groups, type Group } from '@gantry/contract/pipelines/groups'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmDelete, useDialog } from '../../../ui/feedback/dialog.tsx'
import { count } from '../../../ui/format.ts'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { deleteAction, editAction } from '../../../ui/table/row-actions.tsx'
import { Time } from '../../../ui/time.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { GroupVariablesDialog } from './group-variables-dialog.tsx'

export function GroupListPage() {
  const teamId = useTeamId()
  const go = useGo()
  const list = useListState('cd-groups')
  const query = useRead(groups.list, { params: { teamId }, query: list.query })
  const editing = useDialog<Group | 'new'>()
  const variables = useDialog<Group>()
  const remove = useWrite(groups.remove, { done: 'delete-success', quiet: true })

  const askRemove = (group: Group) =>
    confirmDelete({
      title: t('pipelines-ui-group-delete-title', { name: group.name }),
      goes: [t('pipelines-ui-group-goes-variables')],
      run: () => remove.mutateAsync({ named: group.name, params: { id: group.id } }),
    })

  return (
    <ListPage
      title={t('route-cd-groups')}
      about={t('pipelines-ui-groups-about')}
      crumbs={[{ label: t('route-pipeline-v1-list'), to: to('pipeline-v1-list') }]}
      add={{ label: t('pipelines-ui-group-create'), needs: groups.create, onClick: () => editing.show('new') }}
      more={
        <>
          <Button icon="key" onClick={() => go(to('cd-credentials'))}>
            {t('route-cd-credentials')}
          </Button>
          <Button icon="bell" onClick={() => go(to('cd-notification-rules'))}>
            {t('route-cd-notification-rules')}
          </Button>
        </>
      }
      query={query}
      list={list}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      search={t('pipelines-ui-search')}
      columns={[
        { key: 'name', title: t('pipelines-ui-name'), cell: (row) => row.name },
        {
          key: 'pipelineNum',
          title: t('route-pipeline-v1-list'),
          align: 'right',
          width: 112,
          cell: (row) => count(row.pipelineNum),
        },
        { key: 'description', title: t('pipelines-ui-description'), cell: (row) => row.description || '–' },
        { key: 'updated', title: t('ui-changed'), cell: (row) => <Time at={row.updatedAt} />, wideOnly: true },
        { key: 'updatedBy', title: t('ui-changed-by'), cell: (row) => row.updatedBy || '–', wideOnly: true },
      ]}
      open={(row) => to('pipeline-v1-list', {}, { groupId: row.id })}
      actions={(row) => [
        editAction({ needs: groups.update, onClick: () => editing.show(row) }),
        {
          key: 'variables',
          label: t('pipelines-ui-variables'),
          icon: 'key',
          onClick: () => variables.show(row),
        },
        deleteAction({
          needs: groups.remove,
          disabled: row.pipelineNum > 0 && t('pipelines-ui-group-has', { count: row.pipelineNum }),
          onClick: () => void askRemove(row),
        }),
      ]}
      empty={{ type: 1, title: t('pipelines-ui-no-groups'), memo: t('pipelines-ui-no-groups-memo') }}
    >
      {editing.open && (
        <GroupDialog {...(editing.open === 'new' ? {} : { group: editing.open })} onClose={editing.hide} />
      )}
      {variables.open && <GroupVariablesDialog group={variables.open} onClose={variables.hide} />}
    </ListPage>
  )
}
