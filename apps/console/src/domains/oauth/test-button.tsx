import { useState } from 'react'
import type { z } from 'zod'
import { oauthProvider } from '@gantry/contract/oauth/provider'
import { call } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { Facts } from '../../ui/detail.tsx'
import { TryForm } from '../../ui/form/try-form.tsx'
import { SignInFacts } from './public.tsx'

type Found = z.output<typeof oauthProvider.test.data>

/** Tests the provider with the present input, before anything is saved, and shows what it reports. */
export function TestButton() {
  const [mapped, setMapped] = useState<string[]>([])
  return (
    <TryForm
      label={t('oauth-ui-test')}
      fine={t('oauth-ui-found')}
      ask={(typed) => {
        const body = oauthProvider.test.body.parse(typed)
        setMapped(body.mappings.map(({ group }) => group))
        return call(oauthProvider.test, { body })
      }}
    >
      {(found) => (
        <>
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
          {found.lastSignIn && <LastSignIn found={found.lastSignIn} mapped={mapped} />}
        </>
      )}
    </TryForm>
  )
}

/** The groups of the last sign-in, and whether any is mapped. */
function LastSignIn({ found, mapped }: { found: NonNullable<Found['lastSignIn']>; mapped: string[] }) {
  const lost = mapped.length > 0 && found.groups?.every((group) => !mapped.includes(group))
  return (
    <>
      <SignInFacts signIn={found} of={found.userName} />
      {lost && <p className="g-note g-note-warn">{t('oauth-ui-groups-unmapped')}</p>}
    </>
  )
}
