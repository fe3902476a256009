import { example } from '../../ui/form/example.ts'
import { Input, Switch } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { oauthProvider } from '@gantry/contract/oauth/provider'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { MappingRows } from '../teams/public.tsx'
import { Registration } from './registration.tsx'
import { TestButton } from './test-button.tsx'

type Settings = Omit<z.output<typeof oauthProvider.get.data>, 'redirectUri' | 'logoutUri' | 'backchannelLogoutUri'>

export function OauthPage() {
  // a form in use does not follow others' changes
  const query = useRead(oauthProvider.get, {}, { staleMs: Infinity })
  const [saved, setSaved] = useState<{ times: number; settings: Settings }>()
  return (
    <Page title={t('route-sys-oauth')} about={t('oauth-ui-about')} narrow>
      <Loaded query={query}>
        {({ redirectUri, logoutUri, backchannelLogoutUri, ...stored }) => (
          <>
            <Registration uris={{ redirectUri, logoutUri, backchannelLogoutUri }} />
            <SettingsForm
              // after saving, the stored values are shown: the secret as its mask
              key={saved?.times}
              settings={saved?.settings ?? stored}
              onSaved={(settings) => setSaved((before) => ({ times: (before?.times ?? 0) + 1, settings }))}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const plainHttp = /^\s*http:\/\/(?!localhost\b|127\.|\[::1\])/i

interface SettingsFormProps {
  settings: Settings
  onSaved: (settings: Settings) => void
}

function SettingsForm({ settings, onSaved }: SettingsFormProps) {
  const [issuer, setIssuer] = useState(settings.issuer)
  const save = useWrite(oauthProvider.set, {
    done: 'save-success',
    quiet: true,
  })
  return (
    <Form
      schema={oauthProvider.set.body}
      initial={settings}
      submit={t('ui-save')}
      foot={<TestButton />}
      onChange={(values) => setIssuer(values.issuer ?? '')}
      onSubmit={async (body) =>
        onSaved(await save.mutateAsync({ named: '', body: { ...body, groupsClaim: body.groupsClaim ?? '' } }))
      }
    >
      <Section title={t('oauth-ui-provider')}>
        <div>
          <Field name="enabled" label={t('oauth-ui-enabled')} help={t('oauth-ui-enabled-help')} value="checked">
            <Switch />
          </Field>
          <Field name="name" label={t('oauth-ui-name')} help={t('oauth-ui-name-help')}>
            <Input maxLength={30} placeholder={t('oauth-ui-name-example')} />
          </Field>
          <Field name="issuer" label={t('oauth-ui-issuer')} help={t('oauth-ui-issuer-help')}>
            <Input inputMode="url" spellCheck={false} placeholder={example('https://id.example.org/realms/company')} />
          </Field>
          {plainHttp.test(issuer) && <p className="g-note g-note-warn">{t('oauth-ui-issuer-plain')}</p>}
          <div className="g-columns">
            <Field name="clientId" label={t('oauth-ui-client')}>
              <Input autoComplete="off" spellCheck={false} maxLength={200} />
            </Field>
            <Field name="clientSecret" label={t('oauth-ui-secret')} help={t('oauth-ui-secret-help')}>
              <Input.Password autoComplete="new-password" />
            </Field>
          </div>
          <Field filled name="scopes" label={t('oauth-ui-scopes')} help={t('oauth-ui-scopes-help')}>
            <Input className="g-mono" spellCheck={false} />
          </Field>
        </div>
      </Section>
      <Section title={t('oauth-ui-people')} about={t('oauth-ui-people-about')}>
        <div>
          <div className="g-columns">
            <Field filled name="userNameClaim" label={t('oauth-ui-claim-user')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
            <Field filled name="nicknameClaim" label={t('oauth-ui-claim-nickname')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
            <Field filled name="emailClaim" label={t('oauth-ui-claim-email')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
          </div>
          <Field name="createAtLogin" label={t('oauth-ui-create')} help={t('oauth-ui-create-help')} value="checked">
            <Switch />
          </Field>
          <Field name="singleLogout" label={t('oauth-ui-logout')} help={t('oauth-ui-logout-help')} value="checked">
            <Switch />
          </Field>
        </div>
      </Section>
      <Section title={t('oauth-ui-teams')} about={t('oauth-ui-teams-about')}>
        <div>
          <Field name="groupsClaim" label={t('oauth-ui-claim-groups')} help={t('oauth-ui-claim-groups-help')}>
            <Input className="g-mono" spellCheck={false} />
          </Field>
          <MappingRows group={t('oauth-ui-group')} placeholder={example('developers')} />
        </div>
      </Section>
    </Form>
  )
}
