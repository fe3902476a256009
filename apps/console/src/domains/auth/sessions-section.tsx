import type { z } from 'zod'
import { session } from '@gantry/contract/auth/session'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { confirm } from '../../ui/feedback/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { agentOf, isHandheld } from './user-agent.ts'
import styles from './auth.module.css'

type Listed = z.output<typeof session.sessions.data>[number]

function nameOf({ userAgent }: Listed): string {
  const { browser, system } = agentOf(userAgent)
  if (browser !== '' && system !== '') return t('auth-session-agent', { browser, system })
  return browser || system || t('auth-session-unknown')
}

/** The logins of the user, each of which can be ended; the present one by logging out. */
export function SessionsSection() {
  const sessions = useRead(session.sessions, {}, { every: 60_000 })
  const end = useWrite(session.endSession, { done: 'auth-session-ended' })
  const endOthers = useWrite(session.endOtherSessions, { done: 'auth-sessions-ended', quiet: true })
  const others = sessions.data?.filter((one) => !one.current).length ?? 0
  return (
    <Section
      title={t('auth-sessions')}
      about={t('auth-sessions-about')}
      actions={
        <Button
          icon="logout"
          disabled={others === 0 && t('auth-sessions-none')}
          onClick={() =>
            void confirm({
              title: t('auth-sessions-end-title'),
              text: t('auth-sessions-end-text', { count: others }),
              danger: true,
              ok: t('auth-sessions-end'),
              run: () => endOthers.mutateAsync({}),
            })
          }
        >
          {t('auth-sessions-end')}
        </Button>
      }
    >
      <Loaded query={sessions}>
        {(list) => (
          <ul className={styles.sessions}>
            {list.map((one) => (
              <li key={one.family}>
                <Icon name={isHandheld(agentOf(one.userAgent)) ? 'phone' : 'system'} size={20} />
                <div>
                  <p className={styles.sessionName}>
                    <span title={one.userAgent}>{nameOf(one)}</span>
                    {one.current && <span className={styles.sessionHere}>{t('auth-session-here')}</span>}
                  </p>
                  <p className={styles.sessionFacts}>
                    <span className="g-num">{one.ip}</span>
                    <span>
                      {t('auth-session-seen')} <Time at={one.lastSeenAt} />
                    </span>
                    <span>
                      {t('auth-session-since')} <Time at={one.createdAt} />
                    </span>
                  </p>
                </div>
                {!one.current && (
                  <Button
                    quiet
                    danger
                    small
                    label={t('auth-session-end-named', { name: nameOf(one) })}
                    loading={end.isPending && end.variables?.params?.family === one.family}
                    onClick={() => end.mutate({ params: { family: one.family } })}
                  >
                    {t('auth-session-end')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}
