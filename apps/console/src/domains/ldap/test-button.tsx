import { Form as Antd } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { ldap } from '@gantry/contract/ldap/ldap'
import { call } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/detail.tsx'
import { withoutBlanks } from '../../ui/problems.ts'

type Findings = z.output<typeof ldap.validate.data>
type Asked = { state: 'idle' | 'asking' } | { state: 'found'; found: Findings } | { state: 'failed'; text: string }

/** Asks the directory as it is typed, before anything is saved, and shows what it finds. */
export function TestButton({ id }: { id?: number }) {
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
      const typed = withoutBlanks({ ...form.getFieldsValue(true), id })
      setAsked({ state: 'found', found: await call(ldap.validate, { body: ldap.validate.body.parse(typed) }) })
    } catch (error) {
      setAsked({ state: 'failed', text: wordsOf(error) })
    }
  }
  return (
    <div className="l-test">
      <Button icon="link" loading={asked.state === 'asking'} onClick={() => void ask()}>
        {t('ldap-ui-test')}
      </Button>
      <div className="l-answer" aria-live="polite">
        {asked.state === 'failed' && <p className="g-note g-note-bad">{asked.text}</p>}
        {asked.state === 'found' && <Found found={asked.found} />}
      </div>
    </div>
  )
}

/** The server counts no further. */
const counted = 1_000
const figure = (count: number): string => (count >= counted ? t('ldap-ui-test-more', { count }) : String(count))

function Found({ found }: { found: Findings }) {
  return (
    <>
      <p className="l-fine">{t('ldap-ui-test-fine')}</p>
      {found.missing.length > 0 && (
        <p className="g-note g-note-warn">{t('ldap-ui-test-missing', { attributes: found.missing.join(', ') })}</p>
      )}
      {found.unknownGroups.length > 0 && (
        <p className="g-note g-note-warn">{t('ldap-ui-test-unknown', { groups: found.unknownGroups.join('; ') })}</p>
      )}
      <Facts
        facts={[
          { label: t('ldap-ui-test-users'), value: figure(found.users) },
          { label: t('ldap-ui-test-groups'), value: figure(found.groups) },
          {
            label: t('ldap-ui-test-sample'),
            wide: true,
            value: (
              <ul className="l-sample">
                {found.sample.map((user) => (
                  <li key={user.dn}>
                    {[user.userName, user.nickname, user.email].filter(Boolean).join(' · ')}
                    <small>{user.dn}</small>
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </>
  )
}
