import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts } from '../../ui/detail.tsx'
import { Section } from '../../ui/page.tsx'
import styles from './oauth.module.css'

interface Uris {
  redirectUri: string
  logoutUri: string
  backchannelLogoutUri: string
}

/** The data of this installation that the provider needs, and where to enter it in Keycloak. */
export function Registration({ uris }: { uris: Uris }) {
  const steps = ['oauth-ui-keycloak-1', 'oauth-ui-keycloak-2', 'oauth-ui-keycloak-3', 'oauth-ui-keycloak-4'] as const
  return (
    <Section title={t('oauth-ui-register')} about={t('oauth-ui-register-about')}>
      <Facts
        facts={[
          { label: t('oauth-ui-redirect-uri'), value: <Copyable text={uris.redirectUri} />, wide: true },
          { label: t('oauth-ui-logout-uri'), value: <Copyable text={uris.logoutUri} />, wide: true },
          { label: t('oauth-ui-backchannel-uri'), value: <Copyable text={uris.backchannelLogoutUri} />, wide: true },
        ]}
      />
      <details className={styles.steps}>
        <summary>{t('oauth-ui-keycloak')}</summary>
        <ol>
          {steps.map((step) => (
            <li key={step}>{t(step)}</li>
          ))}
        </ol>
      </details>
    </Section>
  )
}
