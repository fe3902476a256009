import { Input } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { users, type User } from '@gantry/contract/users/users'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { renameUser, useUser } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { SessionsSection } from '../auth/public.tsx'
import { DecisionMails } from '../decisions/public.tsx'
import { AvatarControl } from './avatar-control.tsx'
import { UserStateBadge } from './user-state.tsx'

const body = z.object({
  nickname: users.create.body.shape.nickname,
  email: users.create.body.shape.email,
})

export function ProfilePage() {
  const { id } = useUser()
  const user = useRead(users.get, { params: { id } })
  return (
    <Page title={t('route-info-basic')} about={t('users-profile-memo')} narrow>
      <Loaded query={user}>
        {(data) => (
          <>
            <AvatarControl user={data} />
            <Profile user={data} />
            <DecisionMails />
          </>
        )}
      </Loaded>
      {/* it starts where the facts end */}
      <div hidden={user.isPending}>
        <SessionsSection />
      </div>
    </Page>
  )
}

function Profile({ user }: { user: User }) {
  const [editing, setEditing] = useState(false)
  const save = useWrite(users.update, { done: 'save-success', quiet: true })
  const local = user.type === 'IDENTITY'
  if (editing) {
    return (
      <Section title={t('users-profile-edit')}>
        <Form
          schema={body}
          initial={{ nickname: user.nickname, email: user.email }}
          submit={t('ui-save')}
          onCancel={() => setEditing(false)}
          onSubmit={async (values) => {
            const edit = { ...values, revision: user.updatedAt }
            await save.mutateAsync({ named: user.userName, params: { id: user.id }, body: edit })
            renameUser(values)
            setEditing(false)
          }}
        >
          <Field name="nickname" label={t('users-nickname')} help={t('users-nickname-help')}>
            <Input maxLength={20} />
          </Field>
          <Field name="email" label={t('users-email')}>
            <Input type="email" maxLength={30} />
          </Field>
        </Form>
      </Section>
    )
  }
  return (
    <Section
      title={t('users-profile-facts')}
      actions={
        <Button
          icon="edit"
          disabled={!local && t('users-profile-elsewhere', { type: user.type })}
          onClick={() => setEditing(true)}
        >
          {t('ui-edit')}
        </Button>
      }
    >
      <Facts
        facts={[
          { label: t('users-user-name'), value: <Copyable text={user.userName} plain /> },
          { label: t('users-nickname'), value: user.nickname },
          { label: t('users-email'), value: <Copyable text={user.email} plain /> },
          { label: t('users-type'), value: t(`users-type-${user.type}`) },
          { label: t('users-state'), value: <UserStateBadge state={user.state} /> },
          { label: t('users-updated'), value: <Time at={user.updatedAt} /> },
          { label: t('users-teams'), value: user.teams.map((team) => team.name).join(', '), wide: true },
        ]}
      />
    </Section>
  )
}
