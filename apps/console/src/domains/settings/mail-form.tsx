import { example } from '../../ui/form/example.ts'
import { Input, InputNumber, Select, Switch } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { mail, MailSettings } from '@gantry/contract/settings/mail'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import styles from './settings.module.css'

type Settings = z.input<typeof MailSettings>

const unset: Settings = {
  enabled: true,
  host: '',
  port: 587,
  security: 'starttls',
  userName: '',
  password: '',
  from: '',
  fromName: '',
  lang: 'en',
}

/** `data` is null, not undefined, before anything was saved. */
export function MailForm() {
  const query = useRead(mail.get)
  const data = query.data === null ? { ...unset, revision: '' } : query.data
  return <Loaded query={{ ...query, data }}>{(stored) => <Fields key={stored.revision} stored={stored} />}</Loaded>
}

function Fields({ stored: { revision, ...stored } }: { stored: Settings & { revision: string } }) {
  const { email } = useUser()
  const [typed, setTyped] = useState<Partial<Settings>>(stored)
  const save = useWrite(mail.set, { done: 'save-success', quiet: true })
  return (
    <>
      <Form
        schema={MailSettings}
        initial={stored}
        submit={t('ui-save')}
        onChange={(values) => setTyped((before) => ({ ...before, ...values }))}
        onSubmit={(body) => save.mutateAsync({ named: '', body: { ...body, revision } })}
      >
        <Field name="enabled" label={t('settings-ui-mail-enabled')} value="checked">
          <Switch />
        </Field>
        <div className="g-columns">
          <Field name="host" label={t('settings-ui-mail-host')}>
            <Input placeholder={example('smtp.example.com')} maxLength={253} />
          </Field>
          <Field name="port" label={t('settings-ui-mail-port')}>
            <InputNumber min={1} max={65535} />
          </Field>
          <Field name="security" label={t('settings-ui-mail-security')}>
            <Select
              options={(['starttls', 'tls', 'none'] as const).map((value) => ({
                value,
                label: t(`settings-ui-mail-security-${value}`),
              }))}
            />
          </Field>
        </div>
        <div className="g-columns">
          <Field name="userName" label={t('settings-ui-mail-user')}>
            <Input autoComplete="off" maxLength={200} />
          </Field>
          <Field name="password" label={t('settings-ui-mail-password')} help={t('settings-ui-mail-password-help')}>
            <Input.Password autoComplete="new-password" maxLength={500} />
          </Field>
        </div>
        <div className="g-columns">
          <Field name="from" label={t('settings-ui-mail-from')}>
            <Input type="email" placeholder={example('gantry@example.com')} maxLength={254} />
          </Field>
          <Field name="fromName" label={t('settings-ui-mail-from-name')}>
            <Input maxLength={60} />
          </Field>
          <Field name="lang" label={t('settings-ui-mail-lang')} help={t('settings-ui-mail-lang-help')} filled>
            <Select
              options={(['en', 'zh'] as const).map((value) => ({ value, label: t(`settings-ui-mail-lang-${value}`) }))}
            />
          </Field>
        </div>
      </Form>
      <TestMail settings={typed} to={email} />
    </>
  )
}

interface TestProps {
  settings: Partial<Settings>
  to: string
}

function TestMail({ settings, to }: TestProps) {
  const [recipient, setRecipient] = useState(to)
  const send = useWrite(mail.test, { done: () => t('settings-ui-mail-test-sent', { to: recipient }) })
  const body = { ...unset, ...settings }
  return (
    <form
      className={`g-form ${styles.test}`}
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate({ query: { mail: recipient.trim() }, body })
      }}
    >
      <p>{t('settings-ui-mail-test-about', { to: recipient || '–' })}</p>
      <div className="g-row">
        <Input
          className={styles.recipient}
          type="email"
          aria-label={t('settings-ui-mail-test-to')}
          value={recipient}
          maxLength={254}
          onChange={(event) => setRecipient(event.target.value)}
        />
        <Button submit icon="mail" loading={send.isPending}>
          {t('settings-ui-mail-test')}
        </Button>
      </div>
    </form>
  )
}
