import { Input } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { session as calls } from '@gantry/contract/auth/session'
import { CallError } from '../../api/call.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { session as tab } from '../../api/storage.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { GoTo, to } from '../../ui/link.tsx'
import { nonce } from '../../ui/nonce.ts'
import { Theme } from '../../ui/theme/theme.tsx'
import { loadWidgets } from '../../ui/widgets.ts'
import { VisitorFrame } from './frame.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import styles from './auth.module.css'

/** The page, after loading the form controls that a visitor has not loaded yet. */
export async function loadRegisterPage() {
  await loadWidgets()
  return RegisterPage
}

const RegisterPage = () => (
  <Theme nonce={nonce()}>
    <Registration />
  </Theme>
)

function Registration() {
  const options = useRead(calls.options)
  const [typed, setTyped] = useState(false)
  const register = useWrite(calls.register, { quiet: true })
  const name = options.data?.productName ?? 'Gantry'
  const onSubmit = async (body: z.input<typeof calls.register.body>) => {
    try {
      await register.mutateAsync({ body })
      tab.remove('join')
    } catch (error) {
      // after this error the user can register without the expired link
      if (error instanceof CallError && error.key === 'join-link-over') tab.remove('join')
      throw error
    }
  }
  const login = <GoTo to={to('login')}>{t('auth-to-login')}</GoTo>
  if (register.isSuccess) {
    return (
      <VisitorFrame name={name}>
        <h1>{t('auth-registered-title')}</h1>
        <p role="status">{t('auth-registered-memo')}</p>
        <p>{login}</p>
      </VisitorFrame>
    )
  }
  if (options.data && !options.data.registration && !typed) {
    return (
      <VisitorFrame name={name}>
        <EmptyState title={t('register-off')} memo={login} />
      </VisitorFrame>
    )
  }
  return (
    <VisitorFrame name={name}>
      <h1>{t('auth-register-title')}</h1>
      <p>{t('auth-register-approval')}</p>
      <Form
        schema={calls.register.body}
        submit={t('auth-register')}
        onChange={() => setTyped(true)}
        onSubmit={onSubmit}
      >
        <Field name="userName" label={t('auth-username')}>
          <Input autoFocus autoComplete="username" spellCheck={false} autoCapitalize="none" maxLength={30} />
        </Field>
        <Field name="nickname" label={t('auth-nickname')}>
          <Input autoComplete="nickname" maxLength={20} />
        </Field>
        <Field name="email" label={t('auth-email')}>
          <Input type="email" autoComplete="email" maxLength={30} />
        </Field>
        <NewPasswordFields label="auth-password" repeat="auth-password-again" />
      </Form>
      <p className={styles.below}>{login}</p>
    </VisitorFrame>
  )
}
