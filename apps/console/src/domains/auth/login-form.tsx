import { useId, useState, type FormEvent } from 'react'
import { session as calls, type Session } from '@gantry/contract/auth/session'
import { call } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { keepDirectory, lastDirectory } from '../../api/session.ts'
import { Problem } from '../../ui/feedback/problem.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import styles from './auth.module.css'

interface LoginFormProps {
  type: 'IDENTITY' | 'LDAP'
  servers?: readonly { ldapId: number; ldapName: string }[]
  onDone: (user: Session) => Promise<void>
}

/** The directory of the last login from this browser, otherwise the first. */
function firstOf(servers: readonly { ldapId: number }[]): number | undefined {
  const last = lastDirectory()
  return servers.some(({ ldapId }) => ldapId === last) ? last : servers[0]?.ldapId
}

/** Plain fields, so that the first page of every user loads no library of form controls. */
export function LoginForm({ type, servers, onDone }: LoginFormProps) {
  const id = useId()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [ldapId, setLdapId] = useState(() => servers && firstOf(servers))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (username.trim() === '' || password === '' || (servers && ldapId === undefined)) {
      return setProblem(t('input-userinfo'))
    }
    setBusy(true)
    setProblem('')
    try {
      const body = { username: username.trim(), password, type, ...(ldapId === undefined ? {} : { ldapId }) }
      const user = await call(calls.login, { body })
      keepDirectory(ldapId)
      await onDone(user)
    } catch (error) {
      setProblem(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={styles.fields} noValidate onSubmit={(event) => void submit(event)}>
      {servers && (
        <div>
          <label htmlFor={`${id}-server`}>{t('auth-ldap-server')}</label>
          <select id={`${id}-server`} value={ldapId} onChange={(event) => setLdapId(Number(event.target.value))}>
            {servers.map((server) => (
              <option key={server.ldapId} value={server.ldapId}>
                {server.ldapName}
              </option>
            ))}
          </select>
        </div>
      )}
      <div>
        <label htmlFor={`${id}-name`}>{t(type === 'LDAP' ? 'auth-username' : 'auth-username-or-email')}</label>
        <input
          id={`${id}-name`}
          value={username}
          autoFocus
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          onChange={(event) => setUsername(event.target.value)}
        />
      </div>
      <PasswordField id={`${id}-password`} value={password} onChange={setPassword} />
      <Problem text={problem} />
      <PlainButton primary submit busy={busy}>
        {t('auth-login')}
      </PlainButton>
    </form>
  )
}

function PasswordField({ id, value, onChange }: { id: string; value: string; onChange: (value: string) => void }) {
  const [visible, setVisible] = useState(false)
  return (
    <div>
      <label htmlFor={id}>{t('auth-password')}</label>
      <span className={styles.secret}>
        <input
          id={id}
          type={visible ? 'text' : 'password'}
          value={value}
          autoComplete="current-password"
          maxLength={200}
          onChange={(event) => onChange(event.target.value)}
        />
        <button type="button" className="g-bare" aria-pressed={visible} onClick={() => setVisible(!visible)}>
          {t(visible ? 'auth-hide' : 'auth-show')}
        </button>
      </span>
    </div>
  )
}
