import { Input, Switch } from 'antd'
import { teams } from '@gantry/contract/teams/teams'
import { users } from '@gantry/contract/users/users'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { RemoteSelect } from '../../ui/form/remote-select.tsx'
import type { Initial } from './use-user-actions.tsx'

interface CreateUserProps {
  onClose: () => void
  onDone: (made: Initial) => void
}

/** Creates a local user, optionally as a member of a team. */
export function CreateUserDialog({ onClose, onDone }: CreateUserProps) {
  const create = useWrite(users.create, {
    done: 'create-success',
    quiet: true,
  })
  return (
    <FormDialog
      title={t('users-ui-create')}
      onClose={onClose}
      schema={users.create.body}
      submit={t('users-ui-create')}
      onSubmit={async (body) => {
        const made = await create.mutateAsync({ named: body.userName, body })
        onDone(made)
      }}
    >
      <Field name="userName" label={t('users-ui-name')} help={t('users-ui-name-help')}>
        <Input autoFocus maxLength={30} spellCheck={false} autoComplete="off" />
      </Field>
      <Field name="nickname" label={t('users-ui-nickname')} help={t('users-ui-nickname-help')}>
        <Input maxLength={20} autoComplete="off" />
      </Field>
      <Field name="email" label={t('users-ui-email')}>
        <Input maxLength={30} type="email" autoComplete="off" />
      </Field>
      <Field name="teamId" label={t('users-ui-first-team')} help={t('users-ui-first-team-help')}>
        <RemoteSelect
          endpoint={teams.brief}
          pageSize={50}
          clearable
          option={({ id, name }) => ({ value: id, label: name })}
        />
      </Field>
      <Field name="admin" label={t('users-ui-admin-switch')} help={t('users-ui-admin-help')} value="checked">
        <Switch />
      </Field>
    </FormDialog>
  )
}
