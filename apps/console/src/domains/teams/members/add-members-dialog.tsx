import { Segmented } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { teams } from '@gantry/contract/teams/teams'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { ManySelect } from '../../../ui/form/many-select.tsx'
import { SecretDialog } from '../../../ui/form/secret-dialog.tsx'
import { noRole, RoleSelect } from '../roles/role-select.tsx'
import { JoinLinkForm, type MadeLink } from './join-link-form.tsx'

const schema = z.strictObject({ users: teams.addMembers.body, role: z.number() })

interface AddMembersProps {
  teamId: number
  team: string
  onClose: () => void
}

/** Two ways to add members: users found here, and a link for others. */
export function AddMembersDialog({ teamId, team, onClose }: AddMembersProps) {
  const [way, setWay] = useState<'users' | 'link'>('users')
  const [made, setMade] = useState<MadeLink>()
  if (made)
    return (
      <SecretDialog
        title={t('teams-ui-join-created', { team })}
        text={made.email === '' ? t('teams-ui-join-once') : t('teams-ui-join-sent', { email: made.email })}
        secret={made.url}
        onClose={onClose}
      />
    )
  return (
    <Dialog title={t('teams-ui-add-title', { team })} onClose={onClose}>
      <p>
        <Segmented
          aria-label={t('teams-ui-add-way')}
          value={way}
          onChange={setWay}
          options={[
            { value: 'users', label: t('teams-ui-add-way-users') },
            { value: 'link', label: t('teams-ui-add-way-link') },
          ]}
        />
      </p>
      {way === 'users' ? (
        <AddUsers teamId={teamId} onClose={onClose} />
      ) : (
        <JoinLinkForm teamId={teamId} onClose={onClose} onDone={setMade} />
      )}
    </Dialog>
  )
}

/** Adds users who are not members yet: all of the selected ones, or none. */
function AddUsers({ teamId, onClose }: Omit<AddMembersProps, 'team'>) {
  const params = { id: teamId }
  const add = useWrite(teams.addMembers, {
    done: 'add-success',
    quiet: true,
  })
  return (
    <Form
      schema={schema}
      submit={t('teams-ui-add')}
      needs={teams.addMembers}
      onCancel={onClose}
      onSubmit={async ({ users, role }) => {
        const query = role === noRole ? {} : { roleId: role }
        await add.mutateAsync({ named: '', params, query, body: users })
        onClose()
      }}
    >
      <Field name="users" label={t('teams-ui-users')} help={t('teams-ui-add-help')}>
        <ManySelect
          endpoint={teams.others}
          input={{ params }}
          pageSize={20}
          option={({ id, name, email }) => ({ value: id, label: email === '' ? name : `${name} · ${email}` })}
        />
      </Field>
      <Field name="role" label={t('teams-ui-role')} help={t('teams-ui-add-role-help')}>
        <RoleSelect teamId={teamId} orNone />
      </Field>
    </Form>
  )
}
