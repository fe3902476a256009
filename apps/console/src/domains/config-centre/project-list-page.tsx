import { configProjects, type Project } from '@gantry/contract/config-centre/projects'
import { Input } from 'antd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { to, useGo, useTeamId } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import { deleteAction } from '../../ui/table/row-actions.tsx'
import { SearchBox } from '../../ui/table/search-box.tsx'
import { changeColumns, readersAction, servicesColumn } from './columns.tsx'

/** The team's configuration projects. */
export function ProjectListPage() {
  const go = useGo()
  const teamId = useTeamId()
  const list = useListState('config-manage', { filters: { prefix: '', reverse_logic: 'all' } })
  const query = useRead(configProjects.list, { params: { teamId }, query: list.query })
  const creating = useDialog()
  const cloning = useDialog<Project>()
  const remove = useWrite(configProjects.remove, { done: 'delete-success', quiet: true })
  const ask = ({ name, profiles, templates }: Project) =>
    confirmDelete({
      title: t('config-ui-project-delete-title', { name }),
      goes: [
        ...(profiles > 0 ? [t('config-ui-profiles-count', { count: profiles })] : []),
        ...(templates > 0 ? [t('config-ui-templates-count', { count: templates })] : []),
      ],
      typed: name,
      run: () => remove.mutateAsync({ named: name, params: { teamId, name } }),
    })
  return (
    <ListPage
      title={t('route-config-manage')}
      about={t('config-ui-about')}
      add={{
        label: t('config-ui-project-create'),
        needs: configProjects.create,
        onClick: () => creating.show(true),
      }}
      query={query}
      list={list}
      rowKey={(row) => row.name}
      nameOf={(row) => row.name}
      search={t('config-ui-project-search')}
      filters={[
        {
          name: 'reverse_logic',
          label: t('config-ui-prefix-mode'),
          options: [
            { value: 'all', label: t('config-ui-prefix-with') },
            { value: 'true', label: t('config-ui-prefix-without') },
          ],
        },
      ]}
      toolbar={
        <SearchBox
          label={t('config-ui-prefix')}
          value={list.filters['prefix'] ?? ''}
          onSearch={(prefix) => list.setFilter('prefix', prefix)}
        />
      }
      open={(row) => to('config-manage', {}, { project: row.name })}
      columns={[
        { key: 'name', title: t('config-ui-project'), sort: true, mono: true, cell: (row) => row.name },
        {
          key: 'description',
          title: t('config-ui-description'),
          wideOnly: true,
          cell: (row) => row.description || <span className="g-faint">–</span>,
        },
        numberColumn('profiles', t('config-ui-profiles'), { width: 96 }),
        numberColumn('templates', t('config-ui-templates'), { width: 104, wideOnly: true }),
        servicesColumn(),
        ...changeColumns(),
      ]}
      actions={(row) => [
        readersAction(() => go(to('config-app', {}, { project: row.name }))),
        {
          key: 'clone',
          label: t('config-ui-clone'),
          icon: 'copy',
          needs: configProjects.clone,
          onClick: () => cloning.show(row),
        },
        deleteAction({ needs: configProjects.remove, onClick: () => void ask(row) }),
      ]}
      empty={{ type: 1, title: t('config-ui-none'), memo: t('config-ui-none-memo') }}
    >
      {creating.open && <CreateDialog onClose={creating.hide} />}
      {cloning.open && <CloneDialog source={cloning.open.name} onClose={cloning.hide} />}
    </ListPage>
  )
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const go = useGo()
  const params = { teamId: useTeamId() }
  const create = useWrite(configProjects.create, { done: 'create-success', quiet: true })
  return (
    <FormDialog
      title={t('config-ui-project-create')}
      onClose={onClose}
      schema={configProjects.create.body}
      submit={t('config-ui-project-create')}
      needs={configProjects.create}
      onSubmit={async (body) => {
        const { name } = await create.mutateAsync({ params, body })
        go(to('config-manage', {}, { project: name }))
      }}
    >
      <Field name="name" label={t('config-ui-project')} help={t('config-ui-project-help')}>
        <Input autoFocus className="g-mono" spellCheck={false} autoComplete="off" maxLength={64} />
      </Field>
      <Field name="description" label={t('config-ui-description')}>
        <Input.TextArea rows={2} />
      </Field>
    </FormDialog>
  )
}

function CloneDialog({ source, onClose }: { source: string; onClose: () => void }) {
  const params = { teamId: useTeamId(), name: source }
  const clone = useWrite(configProjects.clone, { done: 'clone-success', quiet: true })
  return (
    <FormDialog
      title={t('config-ui-clone-title', { name: source })}
      onClose={onClose}
      schema={configProjects.clone.body}
      submit={t('config-ui-clone')}
      needs={configProjects.clone}
      onSubmit={(body) => clone.mutateAsync({ params, body })}
    >
      <Field name="name" label={t('config-ui-project')} help={t('config-ui-clone-help')}>
        <Input autoFocus className="g-mono" spellCheck={false} autoComplete="off" maxLength={64} />
      </Field>
    </FormDialog>
  )
}
