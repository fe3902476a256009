import { Input, Switch } from 'antd'
import { z } from 'zod'
import { oauthProvider } from '@gantry/contract/oauth/provider'
import { users, type User } from '@gantry/contract/users/users'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { renameUser, useUser } from '../../api/session.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { SignInFacts } from '../oauth/public.tsx'

const { nickname, email, admin } = users.create.body.shape
const local = z.strictObject({ nickname, email, admin })
/** Names from a directory or provider are changed there. */
const external = z.strictObject({ nickname: nickname.optional(), email: email.optional(), admin })

interface EditUserProps {
  user: User
  onClose: () => void
}

/** A user's names, and whether the user is an administrator. */
export function EditUserDialog({ user, onClose }: EditUserProps) {
  const me = useUser()
  const save = useWrite(users.update, { done: 'update-success', quiet: true })
  const isLocal = user.type === 'IDENTITY'
  return (
    <FormDialog
      title={t('users-ui-edit-title', { name: user.userName })}
      onClose={onClose}
      schema={isLocal ? local : external}
      initial={{ nickname: user.nickname, email: user.email, admin: user.admin }}
      submit={t('ui-save')}
      onSubmit={async (values) => {
        const body = { ...values, revision: user.updatedAt }
        const saved = await save.mutateAsync({ named: user.userName, params: { id: user.id }, body })
        if (user.id === me.id) renameUser(saved)
      }}
    >
      {isLocal ? (
        <>
          <Field name="nickname" label={t('users-ui-nickname')} help={t('users-ui-nickname-help')}>
            <Input autoFocus maxLength={20} autoComplete="off" />
          </Field>
          <Field name="email" label={t('users-ui-email')}>
            <Input maxLength={30} type="email" autoComplete="off" />
          </Field>
        </>
      ) : (
        <p className="g-note">{t('user-profile-elsewhere', { type: t(`user-type-${user.type}`) })}</p>
      )}
      {user.type === 'OAUTH' && <LastSignIn user={user} />}
      <Field
        name="admin"
        label={t('users-ui-admin-switch')}
        help={t(user.id === me.id ? 'users-ui-admin-self' : 'users-ui-admin-help')}
        value="checked"
      >
        <Switch disabled={user.id === me.id} />
      </Field>
    </FormDialog>
  )
}

function LastSignIn({ user }: { user: User }) {
  const { data } = useRead(oauthProvider.signIn, { params: { id: user.id } })
  return data ? <SignInFacts signIn={data} /> : null
}
