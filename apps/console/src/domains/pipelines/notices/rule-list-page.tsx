import { type NotificationRule, notificationRules } from '@gantry/contract/notifications/rules'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { confirmDelete, useDialog } from '../../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { to, useTeamId } from '../../../ui/link.tsx'
import { ListPage } from '../../../ui/table/list-page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { deleteAction, editAction } from '../../../ui/table/row-actions.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { RuleDialog } from './rule-dialog.tsx'

const joinParts = (parts: readonly (string | false)[]): string => parts.filter((part) => part !== false).join(', ')

const whoOf = ({ triggerer, deciders, users, roles, methods }: NotificationRule): string =>
  joinParts([
    triggerer && t('notifications-ui-triggerer'),
    deciders && t('notifications-ui-deciders'),
    users.length > 0 && t('notifications-ui-members-count', { count: users.length }),
    roles.length > 0 && t('notifications-ui-roles-count', { count: roles.length }),
    methods.length > 0 && t('notifications-ui-methods-count', { count: methods.length }),
  ])

/** Who in the team is notified of build events. */
export function RuleListPage() {
  const teamId = useTeamId()
  const list = useListState('cd-notification-rules')
  const query = useRead(notificationRules.list, { params: { teamId }, query: list.query })
  const editing = useDialog<NotificationRule | 'new'>()
  const remove = useWrite(notificationRules.remove, {
    done: 'delete-success',
    quiet: true,
  })
  const askRemove = (row: NotificationRule) =>
    confirmDelete({
      title: t('notifications-ui-rule-delete-title', { name: row.name }),
      run: () => remove.mutateAsync({ named: row.name, params: { teamId, ruleId: row.id } }),
    })
  return (
    <ListPage
      title={t('route-cd-notification-rules')}
      about={t('notifications-ui-rules-about')}
      crumbs={[
        { label: t('route-pipeline-v1-list'), to: to('pipeline-v1-list') },
        { label: t('route-cd-groups'), to: to('cd-groups') },
      ]}
      add={{
        label: t('notifications-ui-rule-add'),
        needs: notificationRules.create,
        onClick: () => editing.show('new'),
      }}
      query={query}
      list={list}
      search={t('notifications-ui-rules-search')}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      columns={[
        { key: 'name', title: t('notifications-ui-name'), cell: (row) => row.name },
        {
          key: 'events',
          title: t('notifications-ui-events'),
          cell: (row) => joinParts(row.events.map((event) => t(`notifications-event-${event}`))),
        },
        {
          key: 'scope',
          title: t('notifications-ui-scope'),
          cell: (row) => row.scopeName || t('notifications-ui-scope-all'),
        },
        { key: 'who', title: t('notifications-ui-who'), cell: whoOf },
        {
          key: 'channels',
          title: t('notifications-ui-channels'),
          cell: (row) => joinParts(row.channels.map((channel) => t(`notifications-ui-channel-${channel}`))),
          wideOnly: true,
        },
        {
          key: 'enabled',
          title: t('notifications-ui-enabled'),
          width: 112,
          cell: (row) => <StateBadge state={row.enabled ? 'on' : 'off'} />,
        },
        timeColumn('updatedAt', t('notifications-ui-updated'), { wideOnly: true }),
      ]}
      actions={(row) => [
        editAction({ needs: notificationRules.update, onClick: () => editing.show(row) }),
        deleteAction({ needs: notificationRules.remove, onClick: () => void askRemove(row) }),
      ]}
      empty={{ type: 1, title: t('notifications-ui-rules-none'), memo: t('notifications-ui-rules-none-memo') }}
    >
      {editing.open && (
        <RuleDialog {...(editing.open === 'new' ? {} : { rule: editing.open })} onClose={editing.hide} />
      )}
    </ListPage>
  )
}
