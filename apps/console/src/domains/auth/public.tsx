import { Form, Input } from 'antd'
import { useState } from 'react'
import type { Session } from '@gantry/contract/auth/session'
import { users } from '@gantry/contract/users/users'
import { password as rules } from '@gantry/contract/validators'
import { call } from '../../api/call.ts'
import { isPhrase, t, type PhraseKey } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { minimumScore, scoreOf, StrengthMeter } from './strength.tsx'
import './auth.css'

type Rule = (value: string) => Promise<void>

const refuse = (key: PhraseKey): Promise<never> => Promise.reject(new Error(t(key)))

const isThere =
  (key: PhraseKey): Rule =>
  (value) =>
    value === '' ? refuse(key) : Promise.resolve()

/** What a new password must be, in the specification's order: there, 6 to 20, no Chinese, hard to guess. */
export const newPassword: Rule = async (value) => {
  if (value === '') return refuse('valid-new-pwd')
  const message = rules.safeParse(value).error?.issues[0]?.message
  if (message !== undefined) return refuse(isPhrase(message) ? message : 'valid-pwd-count')
  if ((await scoreOf(value)) < minimumScore) return refuse('valid-pwd-strenght')
}

interface Typed {
  oldPassword: string
  password: string
  rePassword: string
}

interface PasswordFormProps {
  user: Session
  /** The server has taken the new password and ended all sessions. */
  onDone: () => void
}

/** The change of one's own password: the current one, the new one with its strength, the new one again. */
export function PasswordForm({ user, onDone }: PasswordFormProps) {
  const [form] = Form.useForm<Typed>()
  const typed = Form.useWatch('password', form) ?? ''
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const check = (rule: Rule) => ({ validator: (_: unknown, value?: string) => rule(value ?? '') })

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
      form={form}
      layout="vertical"
      requiredMark={false}
      validateTrigger="onBlur"
      onFinish={(values) => void save(values)}
    >
      <Form.Item name="oldPassword" label={t('auth-password-current')} rules={[check(isThere('valid-old-pwd'))]}>
        <Input.Password maxLength={20} autoComplete="current-password" />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('auth-password-new')}
        extra={<StrengthMeter password={typed} />}
        rules={[check(newPassword)]}
      >
        <Input.Password maxLength={20} autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="rePassword"
        label={t('auth-password-repeat')}
        dependencies={['password']}
        rules={[
          check(async (value) => {
            if (value === '') return refuse('valid-write-new-pwd')
            if (value !== form.getFieldValue('password')) return refuse('valid-pwd-diff')
          }),
        ]}
      >
        <Input.Password maxLength={20} autoComplete="new-password" />
      </Form.Item>
      {problem !== '' && (
        <p className="g-note g-note-bad" role="alert">
          {problem}
        </p>
      )}
      <Button primary submit loading={busy}>
        {t('auth-password-save')}
      </Button>
    </Form>
  )
}
