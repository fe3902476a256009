import { configProfiles, type Profile, ProfileInput } from '@gantry/contract/config-centre/profiles'
import { Input } from 'antd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { to, useGo, useTeamId } from '../../ui/link.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { deleteAction } from '../../ui/table/row-actions.tsx'
import { changeColumns, readersAction, servicesColumn } from './columns.tsx'

export function ProfileList({ project }: { project: string }) {
  const go = useGo()
  const teamId = useTeamId()
  const list = useListState('config-profiles')
  const query = useRead(configProfiles.list, { params: { teamId, name: project }, query: list.query })
  const adding = useDialog()
  const changing = useDialog<Profile>()
  const remove = useWrite(configProfiles.remove, { done: 'delete-success', quiet: true })
  const ask = ({ uuid, name, keys }: Profile) =>
    confirmDelete({
      title: t('config-ui-profile-delete-title', { name }),
      goes: keys > 0 ? [t('config-ui-keys-count', { count: keys })] : [],
      run: () => remove.mutateAsync({ named: name, params: { teamId, uuid } }),
    })
  const add = {
    label: t('config-ui-profile-create'),
    needs: configProfiles.create,
    onClick: () => adding.show(true),
  }
  return (
    <>
      <ResourceTable
        label={t('config-ui-profiles')}
        query={query}
        list={list}
        search={t('config-ui-profile-search')}
        toolbar={
          <Button icon="add" needs={add.needs} onClick={add.onClick}>
            {add.label}
          </Button>
        }
        rowKey={(row) => row.uuid}
        nameOf={(row) => row.name}
        open={(row) => to('config-manage', {}, { project, profile: row.uuid })}
        columns={[
          { key: 'name', title: t('config-ui-profile'), sort: true, mono: true, cell: (row) => row.name },
          {
            key: 'description',
            title: t('config-ui-description'),
            wideOnly: true,
            cell: (row) => row.description || <span className="g-faint">–</span>,
          },
          numberColumn('keys', t('config-ui-keys'), { width: 80 }),
          servicesColumn(),
          numberColumn('revision', t('config-ui-revision'), { width: 96, wideOnly: true }),
          ...changeColumns(),
        ]}
        actions={(row) => [
          readersAction(() => go(to('config-app', {}, { project, profile: row.name }))),
          {
            key: 'edit',
            label: t('config-ui-profile-edit'),
            icon: 'edit',
            needs: configProfiles.update,
            onClick: () => changing.show(row),
          },
          deleteAction({ needs: configProfiles.remove, onClick: () => void ask(row) }),
        ]}
        empty={{ type: 1, title: t('config-ui-profile-none'), memo: t('config-ui-profile-none-memo') }}
      />
      {adding.open && <ProfileDialog project={project} onClose={adding.hide} />}
      {changing.open && <ProfileDialog project={project} profile={changing.open} onClose={changing.hide} />}
    </>
  )
}

interface DialogProps {
  project: string
  /** The profile to change; absent: a new one. */
  profile?: Profile
  onClose: () => void
}

function ProfileDialog({ project, profile, onClose }: DialogProps) {
  const teamId = useTeamId()
  const create = useWrite(configProfiles.create, { done: 'create-success', quiet: true })
  const update = useWrite(configProfiles.update, { done: 'update-success', quiet: true })
  return (
    <FormDialog
      title={profile ? t('config-ui-profile-edit-title', { name: profile.name }) : t('config-ui-profile-create')}
      onClose={onClose}
      schema={ProfileInput}
      {...(profile && { initial: { name: profile.name, description: profile.description } })}
      submit={profile ? t('ui-save') : t('config-ui-profile-create')}
      needs={profile ? configProfiles.update : configProfiles.create}
      onSubmit={async (body) => {
        if (profile)
          await update.mutateAsync({
            params: { teamId, uuid: profile.uuid },
            body: { ...body, revision: profile.revision },
          })
        else await create.mutateAsync({ params: { teamId, name: project }, body })
      }}
    >
      <Field name="name" label={t('config-ui-profile')} help={t('config-ui-profile-help')}>
        <Input autoFocus className="g-mono" spellCheck={false} autoComplete="off" maxLength={64} />
      </Field>
      <Field name="description" label={t('config-ui-description')}>
        <Input.TextArea rows={2} />
      </Field>
    </FormDialog>
  )
}
