import { Input } from 'antd'
import { useState } from 'react'
import { session as calls, type Session } from '@gantry/contract/auth/session'
import { call } from '../api/call.ts'
import { t } from '../api/language.ts'
import { wordsOf } from '../api/notices.ts'
import { beginLogin, keepSession, lastDirectory, signed } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/feedback/dialog.tsx'
import { Problem } from '../ui/feedback/problem.tsx'
import styles from './shell.module.css'

function credentials({ userName: username, type }: Session, password: string) {
  const ldapId = type === 'LDAP' ? lastDirectory() : undefined
  return { username, password, type, ...(ldapId === undefined ? {} : { ldapId }) }
}

/** The dialog of `ReloginDialog`, loaded when it is needed. */
export function ReloginForm({ user, answer }: { user: Session; answer: (again: boolean) => void }) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const outside = user.type === 'OAUTH'
  const logIn = async () => {
    setBusy(true)
    setProblem('')
    try {
      const again = outside
        ? await call(calls.refresh, {})
        : await call(calls.login, { body: credentials(user, password) })
      if (again.id !== user.id) throw new Error(t('shell-relogin-other'))
      if (again.newlyBuilt) throw new Error(t('auth-relogin-expired'))
      if (!outside) beginLogin()
      keepSession(again, signed.get()?.teamId)
      answer(true)
    } catch (error) {
      setProblem(wordsOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('shell-relogin-title')} closes="button" width={420}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void logIn()
        }}
      >
        <p className="g-dialog-text">
          {t(outside ? 'shell-relogin-oauth' : 'shell-relogin-memo', { name: user.nickname || user.userName })}
        </p>
        {outside ? (
          <a href="/login" target="_blank" rel="noreferrer">
            {t('shell-relogin-open')}
          </a>
        ) : (
          <Input.Password
            autoFocus
            value={password}
            aria-label={t('auth-password')}
            autoComplete="current-password"
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
        <Problem text={problem} />
        <div className={`g-row g-row-end ${styles.reloginFoot}`}>
          <Button onClick={() => answer(false)}>{t('shell-relogin-leave')}</Button>
          <Button primary submit loading={busy}>
            {t('shell-relogin-go')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
