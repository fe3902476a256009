import { Input, Switch } from 'antd'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import { type HostFolder, hostFolders } from '@gantry/contract/clusters/host-folders'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm, useDialog } from '../../../ui/feedback/dialog.tsx'
import { example } from '../../../ui/form/example.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/page.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { TeamSelect } from '../../teams/public.tsx'

const columns = (): readonly Column<HostFolder>[] => [
  { key: 'path', title: t('host-folder-ui-path'), cell: (row) => <span className="g-mono">{row.path}</span> },
  { key: 'team', title: t('host-folder-ui-team'), cell: (row) => row.team.name },
  {
    key: 'access',
    title: t('host-folder-ui-access'),
    cell: (row) =>
      t(row.closing ? 'host-folder-ui-closing' : row.readOnly ? 'host-folder-ui-read-only' : 'host-folder-ui-writable'),
  },
  { key: 'services', title: t('host-folder-ui-services'), cell: (row) => row.services.join(', ') },
  {
    key: 'openedAt',
    title: t('host-folder-ui-opened'),
    wideOnly: true,
    cell: (row) => (
      <>
        <Time at={row.openedAt} /> · {row.openedBy}
      </>
    ),
  },
]

/** The folders of a cluster's hosts that are open to teams: for administrators. */
export function HostFolderSection({ cluster }: { cluster: Cluster }) {
  const params = { env: cluster.uuid }
  const query = useRead(hostFolders.list, { params })
  const adding = useDialog()
  const close = useWrite(hostFolders.close, { done: 'delete-success', quiet: true })
  const ask = ({ id, path, team }: HostFolder) =>
    confirm({
      title: t('host-folder-ui-close-title', { path }),
      text: t('host-folder-ui-close-text', { team: team.name }),
      danger: true,
      ok: t('host-folder-ui-close'),
      run: () => close.mutateAsync({ named: path, params: { ...params, id } }),
    })
  return (
    <Section
      title={t('host-folder-ui')}
      about={t('host-folder-ui-about')}
      actions={
        <Button icon="add" onClick={() => adding.show(true)}>
          {t('host-folder-ui-add')}
        </Button>
      }
    >
      <ResourceTable
        label={t('host-folder-ui')}
        query={query}
        rowKey={(row) => String(row.id)}
        nameOf={(row) => row.path}
        columns={columns()}
        actions={(row) => [
          {
            key: 'close',
            label: t('host-folder-ui-close'),
            icon: 'delete',
            danger: true,
            onClick: () => void ask(row),
          },
        ]}
        empty={{ type: 'other', title: t('host-folder-ui-none'), memo: t('host-folder-ui-none-memo') }}
      />
      {adding.open && <OpenFolderDialog cluster={cluster} onClose={adding.hide} />}
    </Section>
  )
}

function OpenFolderDialog({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const open = useWrite(hostFolders.open, { done: 'add-success', quiet: true })
  return (
    <FormDialog
      title={t('host-folder-ui-add')}
      onClose={onClose}
      about={<p>{t('host-folder-ui-add-text')}</p>}
      schema={hostFolders.open.body}
      initial={{ readOnly: true }}
      submit={t('host-folder-ui-add')}
      onSubmit={(body) => open.mutateAsync({ named: body.path, params: { env: cluster.uuid }, body })}
    >
      <Field name="path" label={t('host-folder-ui-path')}>
        <Input autoFocus className="g-mono" spellCheck={false} autoComplete="off" placeholder={example('/srv/media')} />
      </Field>
      <Field name="teamId" label={t('host-folder-ui-team')}>
        <TeamSelect none="" />
      </Field>
      <Field name="readOnly" label={t('host-folder-ui-read-only')} value="checked">
        <Switch />
      </Field>
    </FormDialog>
  )
}
