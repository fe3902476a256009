import { Form, Input, Select } from 'antd'
import { useState } from 'react'
import { session as calls, type Session } from '@gantry/contract/auth/session'
import { call } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'

interface LoginFormProps {
  type: 'IDENTITY' | 'LDAP'
  servers?: readonly { ldapId: number; ldapName: string }[]
  onDone: (user: Session, password: string) => Promise<void>
}

interface Typed {
  username?: string
  password?: string
  ldapId?: number
}

export function LoginForm({ type, servers, onDone }: LoginFormProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  // The specification's selector has only entries with an id.
  const choices = servers?.filter((server) => server.ldapId > 0)

  const submit = async ({ username = '', password = '', ldapId }: Typed) => {
    if (username.trim() === '' || password === '' || (choices && ldapId === undefined)) {
      return setProblem(t('input-userinfo'))
    }
    setBusy(true)
    setProblem('')
    try {
      const body = { username: username.trim(), password, type, ...(ldapId === undefined ? {} : { ldapId }) }
      await onDone(await call(calls.login, { body }), password)
    } catch (error) {
      setProblem(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form<Typed>
      name={`login-${type}`}
      layout="vertical"
      requiredMark={false}
      initialValues={choices?.[0] ? { ldapId: choices[0].ldapId } : {}}
      onFinish={(values) => void submit(values)}
    >
      {choices && (
        <Form.Item name="ldapId" label={t('auth-ldap-server')}>
          <Select options={choices.map((server) => ({ value: server.ldapId, label: server.ldapName }))} />
        </Form.Item>
      )}
      <Form.Item name="username" label={t(type === 'LDAP' ? 'auth-username' : 'auth-username-or-email')}>
        <Input autoFocus autoComplete="username" spellCheck={false} autoCapitalize="none" maxLength={200} />
      </Form.Item>
      <Form.Item name="password" label={t('auth-password')}>
        <Input.Password autoComplete="current-password" maxLength={200} />
      </Form.Item>
      {problem !== '' && (
        <p className="g-note g-note-bad" role="alert">
          {problem}
        </p>
      )}
      <Button primary submit loading={busy}>
        {t('auth-login')}
      </Button>
    </Form>
  )
}
