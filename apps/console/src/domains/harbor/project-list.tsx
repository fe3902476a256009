import { type HarborProject, harborProjects } from '@gantry/contract/harbor/projects'
import { Input, Switch } from 'antd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirm, confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { to } from '../../ui/link.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { deleteAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { TeamsDialog } from '../teams/public.tsx'

/** The projects of a Harbor, paged and searched by the Harbor. */
export function ProjectList({ harborId }: { harborId: number }) {
  const list = useListState(`sys-harbor-${harborId}`)
  const params = { id: harborId }
  const query = useRead(harborProjects.list, { params, query: list.query })
  const creating = useDialog()
  const assigning = useDialog<HarborProject>()
  const publicity = useWrite(harborProjects.publicity, { done: 'option-success' })
  const remove = useWrite(harborProjects.remove, { done: 'delete-success', quiet: true })
  const add = () => creating.show(true)
  const askRemove = ({ projectId, name }: HarborProject) =>
    confirmDelete({
      title: t('harbor-ui-project-delete-title', { name }),
      text: t('harbor-ui-project-delete-text'),
      run: () => remove.mutateAsync({ named: name, params: { ...params, projectId } }),
    })
  const askPublic = ({ projectId, name, public: isPublic }: HarborProject) =>
    confirm({
      title: t(isPublic ? 'harbor-ui-close-title' : 'harbor-ui-open-title', { name }),
      text: t(isPublic ? 'harbor-ui-close-text' : 'harbor-ui-open-text'),
      ok: t(isPublic ? 'harbor-ui-make-private' : 'harbor-ui-make-public'),
      run: () =>
        publicity.mutateAsync({
          named: name,
          params: { ...params, projectId },
          query: { public: isPublic ? 'false' : 'true' },
        }),
    })
  return (
    <>
      <ResourceTable
        label={t('harbor-ui-projects')}
        query={query}
        list={list}
        search={t('harbor-ui-project-search')}
        toolbar={
          <Button icon="add" onClick={add}>
            {t('harbor-ui-project-create')}
          </Button>
        }
        rowKey={(row) => row.projectId}
        nameOf={(row) => row.name}
        open={(row) => to('sys-harbor-project', { harbor_id: harborId, project_id: row.projectId })}
        columns={[
          { key: 'name', title: t('harbor-ui-project'), cell: (row) => row.name, mono: true },
          { key: 'public', title: t('harbor-ui-publicity'), width: 112, cell: publicityOf },
          numberColumn('repositories', t('harbor-ui-repositories'), { width: 112 }),
          { key: 'teams', title: t('harbor-ui-teams'), cell: teamsOf },
          timeColumn('createdAt', t('harbor-ui-created'), { wideOnly: true }),
        ]}
        actions={(row) => [
          { key: 'assign', label: t('harbor-ui-assign'), icon: 'team', onClick: () => assigning.show(row) },
          {
            key: 'publicity',
            label: t(row.public ? 'harbor-ui-make-private' : 'harbor-ui-make-public'),
            icon: row.public ? 'lock' : 'globe',
            onClick: () => void askPublic(row),
          },
          deleteAction({
            disabled: row.repositories > 0 && t('image-project-not-empty', { name: row.name }),
            onClick: () => void askRemove(row),
          }),
        ]}
        empty={{
          type: 6,
          title: t('harbor-ui-projects-none'),
          memo: t('harbor-ui-projects-none-memo'),
          add: { label: t('harbor-ui-project-create'), onClick: add },
        }}
      />
      {creating.open && <CreateProject harborId={harborId} onClose={creating.hide} />}
      {assigning.open && <AssignProject harborId={harborId} project={assigning.open} onClose={assigning.hide} />}
    </>
  )
}

export const publicityOf = ({ public: isPublic }: { public: boolean }): string =>
  t(isPublic ? 'harbor-ui-public' : 'harbor-ui-private')

const teamsOf = ({ teams }: HarborProject): string =>
  teams.length === 0 ? t('harbor-ui-teams-none') : teams.map(({ name }) => name).join(', ')

function CreateProject({ harborId, onClose }: { harborId: number; onClose: () => void }) {
  const create = useWrite(harborProjects.create, { done: 'create-success', quiet: true })
  return (
    <FormDialog
      title={t('harbor-ui-project-create')}
      onClose={onClose}
      schema={harborProjects.create.body}
      submit={t('harbor-ui-project-create')}
      onSubmit={(body) => create.mutateAsync({ params: { id: harborId }, body })}
    >
      <Field name="name" label={t('harbor-ui-project-name')} help={t('harbor-project-format')}>
        <Input autoFocus maxLength={30} spellCheck={false} className="g-mono" />
      </Field>
      <Field name="public" label={t('harbor-ui-public')} help={t('harbor-ui-open-text')} value="checked">
        <Switch />
      </Field>
    </FormDialog>
  )
}

interface AssignProps {
  harborId: number
  project: HarborProject
  onClose: () => void
}

/** Sets all teams of a project at once. */
function AssignProject({ harborId, project: { projectId, name, teams }, onClose }: AssignProps) {
  const assign = useWrite(harborProjects.assign, { done: 'assign-success', quiet: true })
  return (
    <TeamsDialog
      title={t('harbor-ui-teams-of', { name })}
      label={t('harbor-ui-teams')}
      help={t('harbor-ui-teams-help')}
      teams={teams}
      onSave={async ({ teams }) => {
        await assign.mutateAsync({ named: name, params: { id: harborId }, body: { teams, projectId } })
      }}
      onClose={onClose}
    />
  )
}
