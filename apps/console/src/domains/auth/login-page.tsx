import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { session as calls, type Session } from '@gantry/contract/auth/session'
import { call } from '../../api/call.ts'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { GoTo, to } from '../../ui/link.tsx'
import { Tabs, type Tab } from '../../ui/tabs.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { afterLogin } from './after-login.ts'
import { VisitorFrame } from './frame.tsx'
import { LoginForm } from './login-form.tsx'
import { oauth } from '@gantry/contract/oauth/oauth'

const Wizard = lazy(() => import('./first-login-wizard.tsx').then((m) => ({ default: m.FirstLoginWizard })))

/** What a provider or a crafted link may say in ?error=: plain words, and not many. */
const errorLimit = 300

export function LoginPage() {
  const router = useRouter()
  const options = useRead(calls.options)
  const ldaps = useRead(calls.ldaps)
  const [url, setUrl] = useUrlState({ code: '', state: '', error: '' })
  const [newcomer, setNewcomer] = useState<{ user: Session; password: string }>()

  const enter = async (user: Session, password: string) => {
    const target = await afterLogin(user)
    if (target === undefined) setNewcomer({ user, password })
    else router.history.push(target)
  }

  const finish = useEffectEvent(() => {
    if (url.error !== '') {
      toast.error([...url.error].slice(0, errorLimit).join(''))
      setUrl({ error: '' }, { replace: true })
    } else if (url.code !== '') {
      const { code, state } = url
      setUrl({ code: '', state: '' }, { replace: true })
      void call(oauth.afterAuth, { query: { code, state } }).then((user) => enter(user, ''), toast.error)
    }
  })
  useEffect(() => finish(), [url.code, url.error])

  const name = options.data?.productName ?? 'Gantry'
  const tabs: Tab[] = [
    { key: 'username', label: t('auth-tab-username'), content: () => <LoginForm type="IDENTITY" onDone={enter} /> },
    ...(ldaps.data?.length
      ? [
          {
            key: 'ldap',
            label: 'LDAP',
            content: () => <LoginForm type="LDAP" servers={ldaps.data ?? []} onDone={enter} />,
          },
        ]
      : []),
    ...(options.data?.oauth
      ? [
          {
            key: 'oauth',
            label: 'OAuth',
            content: () => (
              <a className="a-oauth" href="/api/oauth/login">
                {t('auth-oauth-go')}
              </a>
            ),
          },
        ]
      : []),
  ]
  return (
    <VisitorFrame name={name}>
      <h1>{t('auth-login-title')}</h1>
      <p>{t('auth-login-memo', { product: name })}</p>
      {tabs.length > 1 ? <Tabs tabs={tabs} /> : tabs[0]?.content?.()}
      {options.data?.registration && (
        <p className="a-below">
          {t('auth-no-account')} <GoTo to={to('register')}>{t('auth-register')}</GoTo>
        </p>
      )}
      {newcomer && (
        <Suspense fallback={null}>
          <Wizard {...newcomer} onDone={() => setNewcomer(undefined)} />
        </Suspense>
      )}
    </VisitorFrame>
  )
}
