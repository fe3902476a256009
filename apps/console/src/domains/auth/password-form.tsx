import { Form, Input } from 'antd'
import { useState } from 'react'
import type { Session } from '@gantry/contract/auth/session'
import { users } from '@gantry/contract/users/users'
import { call } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/feedback/problem.tsx'
import { check, isThere } from './new-password.ts'
import { NewPasswordFields } from './new-password-fields.tsx'

interface Typed {
  oldPassword: string
  password: string
  rePassword: string
}

interface PasswordFormProps {
  user: Session
  /** Called after the server has accepted the new password and ended all sessions. */
  onDone: () => void
}

/** Changes the user's own password: the current one, the new one with its strength, its repetition. */
export function PasswordForm({ user, onDone }: PasswordFormProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  const save = async ({ oldPassword, password, rePassword }: Typed) => {
    setBusy(true)
    setProblem('')
    const { id, email, nickname, admin, spaceName } = user
    try {
      const body = { id, email, nickname, admin, spaceName, oldPassword, password, rePassword }
      await call(users.update, { params: { id }, body })
      onDone()
    } catch (error) {
      setProblem(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form<Typed>
      name="new-password"
      layout="vertical"
      className="g-form"
      requiredMark={false}
      scrollToFirstError={{ focus: true }}
      onFinish={(values) => void save(values)}
    >
      <Form.Item
        name="oldPassword"
        label={t('auth-password-current')}
        validateTrigger="onBlur"
        rules={[check(isThere('valid-old-pwd'))]}
      >
        {/* the initial password, set by the installer, may be longer than a new one */}
        <Input.Password maxLength={200} autoComplete="current-password" />
      </Form.Item>
      <NewPasswordFields label="auth-password-new" repeat="auth-password-repeat" />
      <Problem text={problem} />
      <div className="g-form-foot">
        <div className="g-row">
          <Button primary submit loading={busy}>
            {t('auth-password-save')}
          </Button>
        </div>
      </div>
    </Form>
  )
}
