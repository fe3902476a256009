import { Form as Antd } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { oauth } from '@gantry/contract/oauth/oauth'
import { call } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/detail.tsx'
import { withoutBlanks } from '../../ui/problems.ts'

type Found = z.output<typeof oauth.test.data>
type Asked = { state: 'idle' | 'asking' } | { state: 'found'; found: Found } | { state: 'failed'; text: string }

/** Asks the provider with what is typed, before anything is saved, and shows what it says of itself. */
export function TestButton() {
  const form = Antd.useFormInstance<Record<string, unknown>>()
  const [asked, setAsked] = useState<Asked>({ state: 'idle' })
  const ask = async () => {
    try {
      await form.validateFields()
    } catch {
      // what is wrong stands at its field
      return setAsked({ state: 'idle' })
    }
    setAsked({ state: 'asking' })
    try {
      const body = oauth.test.body.parse(withoutBlanks(form.getFieldsValue(true)))
      setAsked({ state: 'found', found: await call(oauth.test, { body }) })
    } catch (error) {
      setAsked({ state: 'failed', text: wordsOf(error) })
    }
  }
  return (
    <div className="o-test">
      <Button icon="link" loading={asked.state === 'asking'} onClick={() => void ask()}>
        {t('oauth-ui-test')}
      </Button>
      <div className="o-answer" aria-live="polite">
        {asked.state === 'failed' && <p className="g-note g-note-bad">{asked.text}</p>}
        {asked.state === 'found' && (
          <>
            <p className="o-fine">{t('oauth-ui-found')}</p>
            <Facts
              facts={[
                { label: t('oauth-ui-issuer'), value: asked.found.issuer, wide: true },
                { label: t('oauth-ui-authorization'), value: asked.found.authorizationEndpoint, wide: true },
                { label: t('oauth-ui-token'), value: asked.found.tokenEndpoint, wide: true },
                {
                  label: t('oauth-ui-end-session'),
                  value: asked.found.endSessionEndpoint ?? t('oauth-ui-not-offered'),
                  wide: true,
                },
                { label: 'PKCE', value: t(asked.found.pkce ? 'oauth-ui-pkce' : 'oauth-ui-pkce-untold') },
                { label: t('oauth-ui-keys'), value: String(asked.found.keys) },
              ]}
            />
          </>
        )}
      </div>
    </div>
  )
}
