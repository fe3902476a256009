import { configTemplates, type TemplateRow } from '@gantry/contract/config-centre/templates'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { later } from '../../ui/feedback/later.ts'
import { bytes } from '../../ui/format.ts'
import { to, useGo, useTeamId } from '../../ui/link.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { deleteAction } from '../../ui/table/row-actions.tsx'
import { RenderedDialog } from './rendered-dialog.tsx'
import { changeColumns, readersAction, servicesColumn } from './columns.tsx'

const TemplateDialog = later(async () => (await import('./template-dialog.tsx')).TemplateDialog)

export function TemplateList({ project }: { project: string }) {
  const go = useGo()
  const teamId = useTeamId()
  const list = useListState('config-templates')
  const query = useRead(configTemplates.list, { params: { teamId, name: project }, query: list.query })
  const adding = useDialog()
  const opening = useDialog<TemplateRow>()
  const rendering = useDialog<TemplateRow>()
  const remove = useWrite(configTemplates.remove, {
    done: 'delete-success',
    quiet: true,
  })
  const ask = ({ uuid, name }: TemplateRow) =>
    confirmDelete({
      title: t('config-ui-template-delete-title', { name }),
      run: () => remove.mutateAsync({ named: name, params: { teamId, uuid } }),
    })
  return (
    <>
      <ResourceTable
        label={t('config-ui-templates')}
        query={query}
        list={list}
        search={t('config-ui-template-search')}
        toolbar={
          <Button icon="add" needs={configTemplates.create} onClick={() => adding.show(true)}>
            {t('config-ui-template-create')}
          </Button>
        }
        rowKey={(row) => row.uuid}
        nameOf={(row) => row.name}
        columns={[
          {
            key: 'name',
            title: t('config-ui-template'),
            sort: true,
            cell: (row) => (
              <Button quiet small onClick={() => opening.show(row)}>
                <span className="g-clip g-mono">{row.name}</span>
              </Button>
            ),
          },
          {
            key: 'size',
            title: t('config-ui-template-size'),
            align: 'right',
            width: 96,
            wideOnly: true,
            cell: (row) => bytes(row.size),
          },
          servicesColumn(),
          ...changeColumns(),
        ]}
        actions={(row) => [
          { key: 'rendered', label: t('config-ui-rendered'), icon: 'log', onClick: () => rendering.show(row) },
          readersAction(() => go(to('config-app', {}, { project, template: row.name }))),
          { key: 'open', label: t('config-ui-key-edit'), icon: 'edit', onClick: () => opening.show(row) },
          deleteAction({ needs: configTemplates.remove, onClick: () => void ask(row) }),
        ]}
        empty={{ type: 1, title: t('config-ui-template-none'), memo: t('config-ui-template-none-memo') }}
      />
      {adding.open && <TemplateDialog project={project} onClose={adding.hide} />}
      {opening.open && <TemplateDialog project={project} open={opening.open} onClose={opening.hide} />}
      {rendering.open && <RenderedDialog template={rendering.open} onClose={rendering.hide} />}
    </>
  )
}
