import { type ConfigEntry, configEntries, configProfiles, type Profile } from '@gantry/contract/config-centre/profiles'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { download } from '../../api/transfer.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { to, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { deleteAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { HistoryList } from './history-list.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { Restarts } from './restarts.tsx'

/** The keys of one profile. */
export function ProfilePage({ project, uuid }: { project: string; uuid: string }) {
  const query = useRead(configProfiles.get, { params: { teamId: useTeamId(), uuid } })
  const { data } = query
  const importing = useDialog()
  const adding = useDialog()
  return (
    <Page
      title={data?.name ?? '…'}
      about={
        data && (
          <>
            {t('config-ui-profile-line', { revision: data.revision, by: data.updatedBy })} ·{' '}
            <Time at={data.updatedAt} />
          </>
        )
      }
      crumbs={[
        { label: t('route-config-manage'), to: to('config-manage') },
        { label: project, to: to('config-manage', {}, { project }) },
      ]}
      actions={
        data && (
          <>
            <Exports profile={data} />
            <Button icon="upload" needs={configProfiles.import} onClick={() => importing.show(true)}>
              {t('config-ui-import')}
            </Button>
            <Button primary icon="add" needs={configEntries.add} onClick={() => adding.show(true)}>
              {t('config-ui-key-add')}
            </Button>
          </>
        )
      }
    >
      <Loaded query={query}>
        {(profile) => (
          <Tabs
            tabs={[
              { key: 'keys', label: t('config-ui-keys'), content: () => <EntryList profile={profile} /> },
              { key: 'history', label: t('config-ui-history'), content: () => <HistoryList profile={profile} /> },
            ]}
          />
        )}
      </Loaded>
      {data && importing.open && <ImportDialog profile={data} onClose={importing.hide} />}
      {data && adding.open && <EntryDialog profile={data} onClose={adding.hide} />}
    </Page>
  )
}

function Exports({ profile: { uuid, project, name } }: { profile: Profile }) {
  const params = { teamId: useTeamId(), uuid }
  return (['properties', 'yaml'] as const).map((format) => (
    <Button
      key={format}
      icon="download"
      onClick={() => {
        download(configProfiles.export, { params, query: { format } }, `${project}-${name}.${format}`).catch(
          toast.error,
        )
      }}
    >
      {t('config-ui-export', { format: format === 'yaml' ? 'YAML' : '.properties' })}
    </Button>
  ))
}

function EntryList({ profile }: { profile: Profile }) {
  const params = { teamId: useTeamId(), uuid: profile.uuid }
  const list = useListState('config-keys', { pageSize: 20 })
  const query = useRead(configEntries.list, { params, query: list.query })
  const changing = useDialog<ConfigEntry>()
  const remove = useWrite(configEntries.remove, { done: 'delete-success', quiet: true })
  const ask = ({ key, revision }: ConfigEntry) =>
    confirmDelete({
      title: t('config-ui-key-delete-title', { key }),
      text: <Restarts project={profile.project} profile={profile.name} />,
      run: () => remove.mutateAsync({ named: key, params, query: { key, revision } }),
    })
  return (
    <>
      <ResourceTable
        label={t('config-ui-keys')}
        query={query}
        list={list}
        search={t('config-ui-key-search')}
        rowKey={(row) => row.key}
        nameOf={(row) => row.key}
        columns={[
          { key: 'key', title: t('config-ui-key'), sort: true, mono: true, cell: (row) => row.key },
          {
            key: 'value',
            title: t('config-ui-value'),
            mono: true,
            cell: (row) =>
              row.secret ? (
                <span className="g-faint">{t('config-ui-secret')}</span>
              ) : (
                row.value || <span className="g-faint">–</span>
              ),
          },
          { key: 'by', title: t('ui-changed-by'), width: 140, wideOnly: true, cell: (row) => row.updatedBy },
          timeColumn('updatedAt', t('ui-changed'), { sort: true, width: 160, wideOnly: true }),
        ]}
        actions={(row) => [
          {
            key: 'edit',
            label: t('config-ui-key-edit'),
            icon: 'edit',
            needs: configEntries.update,
            onClick: () => changing.show(row),
          },
          deleteAction({ needs: configEntries.remove, onClick: () => void ask(row) }),
        ]}
        empty={{ type: 1, title: t('config-ui-key-none'), memo: t('config-ui-key-none-memo') }}
      />
      {changing.open && <EntryDialog profile={profile} entry={changing.open} onClose={changing.hide} />}
    </>
  )
}
