import { oauthProvider } from '@gantry/contract/oauth/provider'
import { call } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { Facts } from '../../ui/detail.tsx'
import { TryForm } from '../../ui/form/try-form.tsx'

/** Asks the provider with what is typed, before anything is saved, and shows what it says of itself. */
export const TestButton = () => (
  <TryForm
    label={t('oauth-ui-test')}
    fine={t('oauth-ui-found')}
    ask={(typed) => call(oauthProvider.test, { body: oauthProvider.test.body.parse(typed) })}
  >
    {(found) => (
      <Facts
        facts={[
          { label: t('oauth-ui-issuer'), value: found.issuer, wide: true },
          { label: t('oauth-ui-authorization'), value: found.authorizationEndpoint, wide: true },
          { label: t('oauth-ui-token'), value: found.tokenEndpoint, wide: true },
          {
            label: t('oauth-ui-end-session'),
            value: found.endSessionEndpoint ?? t('oauth-ui-not-offered'),
            wide: true,
          },
          { label: 'PKCE', value: t(found.pkce ? 'oauth-ui-pkce' : 'oauth-ui-pkce-untold') },
          { label: t('oauth-ui-keys'), value: String(found.keys) },
        ]}
      />
    )}
  </TryForm>
)
