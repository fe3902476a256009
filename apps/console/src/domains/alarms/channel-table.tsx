import { type AlarmChannel, alarmChannels, hasAddress } from '@gantry/contract/alarms/channels'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { Time } from '../../ui/time.tsx'
import { ChannelDialog } from './channel-dialog.tsx'

const needs = alarmChannels.save

const recipients = ({ kind, url, members, users, addresses }: AlarmChannel): string =>
  hasAddress(kind)
    ? url
    : [
        ...(members ? [t('alarms-ui-channel-members')] : []),
        ...(!members && users.length > 0 ? [t('alarms-ui-channel-users-count', { count: users.length })] : []),
        ...addresses,
      ].join(', ')

/** The notification methods. */
export function ChannelTable() {
  const teamId = useTeamId()
  const list = useListState('alarm-channels')
  const query = useRead(alarmChannels.list, { params: { id: teamId }, query: list.query })
  const editing = useDialog<AlarmChannel | 'new'>()
  const remove = useWrite(alarmChannels.remove, { quiet: true })
  const test = useWrite(alarmChannels.test, { done: ({ told }) => t('alarms-ui-channel-tested', { count: told }) })
  const add = { label: t('alarms-ui-channel-add'), needs, onClick: () => editing.show('new') }
  const askRemove = async ({ id, name }: AlarmChannel) => {
    const gone = await confirmDelete({
      title: t('alarms-ui-channel-delete-title', { name }),
      run: () => remove.mutateAsync({ named: name, params: { team_id: teamId, ID: id } }),
    })
    if (gone) toast.warn(t('delete-tips-store'))
  }
  return (
    <>
      <ResourceTable
        label={t('alarms-ui-tab-notifications')}
        query={query}
        list={list}
        search={t('alarms-ui-channel-search')}
        toolbar={
          <Button primary icon="add" needs={needs} onClick={add.onClick}>
            {add.label}
          </Button>
        }
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        columns={[
          { key: 'name', title: t('alarms-ui-name'), cell: (row) => row.name },
          {
            key: 'kind',
            title: t('alarms-ui-channel-kind'),
            width: 112,
            cell: (row) => t(`alarms-ui-channel-kind-${row.kind}`),
          },
          { key: 'to', title: t('alarms-ui-channel-to'), cell: recipients },
          numberColumn('used', t('alarms-ui-used'), { width: 96 }),
          {
            key: 'last',
            title: t('alarms-ui-channel-last'),
            cell: ({ last }) =>
              last === null ? (
                '–'
              ) : (
                <span title={last.problem}>
                  <StateBadge state={last.state} /> <Time at={last.at} />
                </span>
              ),
            wideOnly: true,
          },
          timeColumn('updatedAt', t('alarms-ui-updated'), { wideOnly: true }),
        ]}
        actions={(row) => [
          {
            key: 'test',
            label: t('alarms-ui-channel-test'),
            icon: 'play',
            needs: alarmChannels.test,
            onClick: () => test.mutate({ named: row.name, params: { team_id: teamId, ID: row.id } }),
          },
          editAction({ needs, onClick: () => editing.show(row) }),
          deleteAction({ needs: alarmChannels.remove, onClick: () => void askRemove(row) }),
        ]}
        empty={{ type: 1, title: t('alarms-ui-channels-none'), memo: t('alarms-ui-channels-none-memo'), add }}
      />
      {editing.open && (
        <ChannelDialog {...(editing.open === 'new' ? {} : { channel: editing.open })} onClose={editing.hide} />
      )}
    </>
  )
}
