import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { session as calls, type Session } from '@gantry/contract/auth/session'
import { oauth } from '@gantry/contract/oauth/oauth'
import { call } from '../../api/call.ts'
import { useRead } from '../../api/hooks.ts'
import { language, t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { GoTo, to } from '../../ui/link.tsx'
import { Tabs, type Tab } from '../../ui/tabs.tsx'
import { useUrlState } from '../../ui/table/url-state.ts'
import { loadWidgets } from '../../ui/widgets.ts'
import { afterLogin } from './after-login.ts'
import { wordsOfProvider } from './error-words.ts'
import { VisitorFrame } from './frame.tsx'
import { LoginForm } from './login-form.tsx'
import styles from './auth.module.css'

const Wizard = lazy(async () => {
  const [{ FirstLoginWizard }] = await Promise.all([import('./first-login-wizard.tsx'), loadWidgets()])
  return { default: FirstLoginWizard }
})

/** The query parameters of a return from a provider. */
const back = { code: '', state: '', iss: '', session_state: '', scope: '', error: '', error_description: '' }

export function LoginPage() {
  const router = useRouter()
  const options = useRead(calls.options)
  const ldaps = useRead(calls.ldaps)
  const [url, setUrl] = useUrlState(back)
  const [newcomer, setNewcomer] = useState<Session>()

  const enter = async (user: Session) => {
    const target = await afterLogin(user)
    if (target === undefined) setNewcomer(user)
    else router.history.push(target)
  }

  const finish = useEffectEvent((code: string, error: string) => {
    const { error: _, error_description, ...query } = url
    if (error !== '') toast.error(wordsOfProvider(error, error_description))
    else if (code !== '') void call(oauth.afterAuth, { query }).then(enter).catch(toast.error)
    else return
    setUrl(back, { replace: true })
  })
  useEffect(() => finish(url.code, url.error), [url.code, url.error])

  const name = options.data?.productName ?? 'Gantry'
  const servers = ldaps.data?.filter(({ ldapId }) => ldapId > 0) ?? []
  const provider = options.data?.oauth
  const tabs: Tab[] = [
    { key: 'username', label: t('auth-tab-username'), content: () => <LoginForm type="IDENTITY" onDone={enter} /> },
  ]
  if (servers.length > 0) {
    const content = () => <LoginForm type="LDAP" servers={servers} onDone={enter} />
    tabs.push({ key: 'ldap', label: 'LDAP', content })
  }
  if (provider) {
    const content = () => (
      <a className={styles.oauth} href={`/api/oauth/login?lang=${language}`}>
        {t('auth-oauth-with', { name: provider.name })}
      </a>
    )
    tabs.push({ key: 'oauth', label: 'OAuth', content })
  }
  return (
    <VisitorFrame name={name}>
      <h1>{t('auth-login-title')}</h1>
      <p>{t('auth-login-memo', { product: name })}</p>
      {options.data && options.data.notice !== '' && <p className={`g-note ${styles.notice}`}>{options.data.notice}</p>}
      <Tabs tabs={tabs} />
      {options.data?.registration && (
        <p className={styles.below}>
          {t('auth-no-account')} <GoTo to={to('register')}>{t('auth-register')}</GoTo>
        </p>
      )}
      {newcomer && (
        <Suspense fallback={null}>
          <Wizard user={newcomer} onDone={() => setNewcomer(undefined)} />
        </Suspense>
      )}
    </VisitorFrame>
  )
}
