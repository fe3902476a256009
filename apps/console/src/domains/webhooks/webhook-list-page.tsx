import { isChat } from '@gantry/contract/webhooks/chat'
import { type Webhook, webhooks } from '@gantry/contract/webhooks/webhooks'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { confirmDelete } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { DeliveryState } from './delivery-state.tsx'

export function WebhookListPage() {
  const go = useGo()
  const list = useListState('sys-webhook')
  const query = useRead(webhooks.list, { query: list.query })
  const remove = useWrite(webhooks.remove, { done: 'delete-success', quiet: true })
  const test = useWrite(webhooks.test, { done: () => t('webhooks-ui-tested') })
  const edit = (row: Webhook) => to('sys-webhook-form', {}, { id: row.id })
  const askRemove = (row: Webhook) =>
    confirmDelete({
      title: t('webhooks-ui-delete-title', { name: row.name }),
      goes: [t('webhooks-ui-goes-deliveries')],
      run: () => remove.mutateAsync({ named: row.name, params: { id: row.id } }),
    })
  return (
    <ListPage
      title={t('route-sys-webhook')}
      about={t('webhooks-ui-about')}
      add={{ label: t('webhooks-ui-add'), onClick: () => go(to('sys-webhook-form')) }}
      query={query}
      list={list}
      search={t('webhooks-ui-search')}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      open={edit}
      columns={[
        { key: 'name', title: t('webhooks-ui-name'), cell: (row) => row.name },
        {
          key: 'kind',
          title: t('webhooks-ui-kind'),
          cell: (row) => t(`webhooks-ui-kind-${row.kind}`),
          wideOnly: true,
        },
        {
          key: 'url',
          title: t('webhooks-ui-url'),
          // a chat's address is masked, so that there is nothing to copy
          cell: (row) => (isChat(row.kind) ? <code className="g-mono">{row.url}</code> : <Copyable text={row.url} />),
          wideOnly: true,
        },
        {
          key: 'team',
          title: t('webhooks-ui-team'),
          cell: (row) => (row.teamId === null ? t('webhooks-ui-all-teams') : row.teamName),
        },
        {
          key: 'enabled',
          title: t('webhooks-ui-enabled'),
          width: 112,
          cell: (row) => <StateBadge state={row.enabled ? 'on' : 'off'} />,
        },
        {
          key: 'last',
          title: t('webhooks-ui-last'),
          cell: (row) => (row.last === null ? '–' : <DeliveryState state={row.last.state} />),
        },
        timeColumn('updatedAt', t('webhooks-ui-updated'), { wideOnly: true }),
      ]}
      actions={(row) => [
        {
          key: 'test',
          label: t('webhooks-ui-test'),
          icon: 'play',
          onClick: () => test.mutate({ named: row.name, params: { id: row.id } }),
        },
        editAction({ onClick: () => go(edit(row)) }),
        deleteAction({ onClick: () => void askRemove(row) }),
      ]}
      empty={{ type: 1, title: t('webhooks-ui-none'), memo: t('webhooks-ui-none-memo') }}
    />
  )
}
