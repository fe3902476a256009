import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { session as calls } from '@gantry/contract/auth/session'
import { joinLinks } from '@gantry/contract/teams/join-links'
import { CallError } from '../../api/call.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { keepReturnPath } from '../../api/return-path.ts'
import { useSigned } from '../../api/session.ts'
import { session as tab } from '../../api/storage.ts'
import { Problem } from '../../ui/feedback/problem.tsx'
import { GoTo, hrefOf, to, useGo } from '../../ui/link.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Time } from '../../ui/time.tsx'
import { VisitorFrame } from './frame.tsx'
import styles from './auth.module.css'

type Link = z.output<typeof joinLinks.open.data>

/**
 * The token comes in the address's fragment, which no server sees, and is removed from the address at once. In the
 * tab's storage it survives the login, the registration and a provider.
 */
function takeToken(): string {
  const given = location.hash.slice(1)
  if (given !== '') {
    tab.set('join', given)
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return tab.get<string>('join') ?? ''
}

/** Opening another link in the same tab only changes the fragment, and the browser loads nothing. */
function useNextLink() {
  useEffect(() => {
    const reload = () => location.reload()
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [])
}

/** The team of a link to join, and the way there: a button for a signed-in user, the login first for others. */
export function JoinPage() {
  const [token] = useState(takeToken)
  useNextLink()
  const options = useRead(calls.options)
  const link = useRead(joinLinks.open)
  const signed = useSigned()
  const isOver = link.error instanceof CallError && link.error.status === 404
  useEffect(() => {
    // a later registration or login in this tab is then without the link
    if (isOver) tab.remove('join')
  }, [isOver])
  return (
    <VisitorFrame name={options.data?.productName ?? 'Gantry'}>
      {link.error ? (
        <>
          <h1>{t(isOver ? 'join-over-title' : 'route-join')}</h1>
          <p role="alert">{wordsOf(link.error)}</p>
        </>
      ) : link.data ? (
        <>
          <h1>{t('join-title', { team: link.data.team.name })}</h1>
          <p>{invitationOf(link.data)}</p>
          <p>
            {t('join-expires')} <Time at={link.data.expiresAt} />
          </p>
          {signed ? (
            <Join token={token} />
          ) : (
            <Enter link={link.data} registration={options.data?.registration ?? false} />
          )}
        </>
      ) : (
        <p role="status">{t('ui-loading')}</p>
      )}
      {signed && (
        <p className={styles.below}>
          <GoTo to={to('new-dashboard')}>{t('join-home')}</GoTo>
        </p>
      )}
    </VisitorFrame>
  )
}

const invitationOf = ({ leader, roleName: role, by, team: { name: team } }: Link): string => {
  if (leader) return t('join-as-leader', { by, team })
  return role === '' ? t('join-as-member', { by, team }) : t('join-as-role', { by, team, role })
}

function Join({ token }: { token: string }) {
  const go = useGo()
  const join = useWrite(joinLinks.join, { quiet: true })
  const onJoin = async () => {
    const { teamId } = await join.mutateAsync({ body: { token } })
    tab.remove('join')
    go(to('new-dashboard', { team_id: teamId }))
  }
  return (
    <>
      <Problem text={join.error && wordsOf(join.error)} />
      <PlainButton primary busy={join.isPending} onClick={() => void onJoin().catch(() => undefined)}>
        {t('join-do')}
      </PlainButton>
    </>
  )
}

/** Signing in joins by itself: the login then leads to the team. */
function Enter({ link, registration }: { link: Link; registration: boolean }) {
  const go = useGo()
  const onLogin = () => {
    keepReturnPath(hrefOf(to('new-dashboard', { team_id: link.team.id })))
    go(to('login'))
  }
  return (
    <>
      <p className={styles.first}>{t(registration ? 'join-login-first' : 'join-login-only')}</p>
      <PlainButton primary onClick={onLogin}>
        {t('auth-login')}
      </PlainButton>
      {registration && (
        <p className={styles.below}>
          {t('join-register-note')} <GoTo to={to('register')}>{t('auth-register')}</GoTo>
        </p>
      )}
    </>
  )
}
