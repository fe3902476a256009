import type { z } from 'zod'
import type { oauthProvider } from '@gantry/contract/oauth/provider'
import { t } from '../../api/language.ts'
import { Facts } from '../../ui/detail.tsx'
import { zonedTime } from '../../ui/format.ts'

type SignIn = NonNullable<z.output<typeof oauthProvider.signIn.data>>

/** The groups of a sign-in, as the provider spells them: mappings are compared with exactly these texts. */
export function SignInFacts({ signIn: { groups, at }, of }: { signIn: SignIn; of?: string }) {
  const text = groups === null ? t('oauth-ui-groups-many') : groups.join(', ') || t('oauth-ui-groups-none')
  return (
    <Facts
      facts={[
        { label: t('oauth-ui-last'), value: of === undefined ? zonedTime(at) : `${of}, ${zonedTime(at)}`, wide: true },
        { label: t('oauth-ui-last-groups'), value: text, wide: true },
      ]}
    />
  )
}
