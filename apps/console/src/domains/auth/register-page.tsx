import { Input } from 'antd'
import { useState } from 'react'
import { session as calls } from '@gantry/contract/auth/session'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { GoTo, to, useGo } from '../../ui/link.tsx'
import { VisitorFrame } from './frame.tsx'
import { session } from '@gantry/contract/auth/session'

export function RegisterPage() {
  const go = useGo()
  const options = useRead(calls.options)
  const [typed, setTyped] = useState(false)
  const write = useWrite(session.register, { quiet: true, done: 'auth-register-done' })
  const name = options.data?.productName ?? 'Gantry'
  if (options.data && !options.data.registration && !typed) {
    return (
      <VisitorFrame name={name}>
        <EmptyState title={t('auth-register-off')} memo={<GoTo to={to('login')}>{t('auth-to-login')}</GoTo>} />
      </VisitorFrame>
    )
  }
  return (
    <VisitorFrame name={name}>
      <h1>{t('auth-register-title')}</h1>
      <p>{t('auth-register-memo')}</p>
      <Form
        schema={session.register.body}
        submit={t('auth-register')}
        onChange={() => setTyped(true)}
        onSubmit={async (values) => {
          await write.mutateAsync({ body: values })
          go(to('login'))
        }}
      >
        <Field name="userName" label={t('auth-username')}>
          <Input autoComplete="username" spellCheck={false} maxLength={30} />
        </Field>
        <Field name="nickname" label={t('auth-nickname')}>
          <Input autoComplete="nickname" maxLength={20} />
        </Field>
        <Field name="email" label={t('auth-email')}>
          <Input type="email" autoComplete="email" maxLength={30} />
        </Field>
        <Field name="password" label={t('auth-password')}>
          <Input.Password autoComplete="new-password" maxLength={20} />
        </Field>
      </Form>
      <p className="a-below">
        <GoTo to={to('login')}>{t('auth-to-login')}</GoTo>
      </p>
    </VisitorFrame>
  )
}
