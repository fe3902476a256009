import { teams } from '@gantry/contract/teams/teams'
import { BuildEvent } from '@gantry/contract/notifications/build-event'
import { isChat, signsMessages } from '@gantry/contract/webhooks/chat'
import { type Webhook, WebhookInput, WebhookKind, webhooks } from '@gantry/contract/webhooks/webhooks'
import { Input, Select, Switch } from 'antd'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { language, t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { RemoteSelect, type RemoteSelectProps } from '../../ui/form/remote-select.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/table/url-state.ts'
import { DeliveryTable } from './delivery-table.tsx'

const languages = [
  { value: 'en', label: 'English' },
  { value: 'zh', label: '中文' },
]

const initialWebhook = {
  kind: 'signed' as const,
  language,
  secret: '',
  enabled: true,
  events: ['build.failed', 'build.fixed', 'build.waiting'] satisfies BuildEvent[],
}

const TeamSelect = (
  field: Pick<RemoteSelectProps<typeof teams.brief, number>, 'id' | 'value' | 'onChange' | 'valueLabel'>,
) => (
  <RemoteSelect
    {...field}
    clearable
    endpoint={teams.brief}
    pageSize={50}
    placeholder={t('webhooks-ui-all-teams')}
    option={({ id, name }) => ({ value: id, label: name })}
  />
)

/** The webhook in `?id`; without it, a new one. */
export function WebhookPage() {
  const [{ id }] = useUrlState({ id: '' })
  return id === '' ? <WebhookForm /> : <StoredWebhook id={Number(id)} />
}

function StoredWebhook({ id }: { id: number }) {
  // a form in use does not follow others' changes
  const query = useRead(webhooks.get, { params: { id } }, { staleMs: Infinity })
  return <Loaded query={query}>{(webhook) => <WebhookForm key={webhook.revision} webhook={webhook} />}</Loaded>
}

function WebhookForm({ webhook }: { webhook?: Webhook }) {
  const go = useGo()
  const [kind, setKind] = useState<WebhookKind>(webhook?.kind ?? 'signed')
  const toChat = isChat(kind)
  const back = to('sys-webhook')
  const writes = { quiet: true } as const
  const create = useWrite(webhooks.create, { ...writes, done: 'create-success' })
  const update = useWrite(webhooks.update, { ...writes, done: 'save-success' })
  return (
    <Page title={webhook?.name ?? t('webhooks-ui-add')} crumbs={[{ label: t('route-sys-webhook'), to: back }]}>
      <Form
        schema={webhooks.create.body}
        initial={webhook ? inputOf(webhook) : initialWebhook}
        onChange={(typed) => setKind(typed.kind ?? kind)}
        submit={t('ui-save')}
        onCancel={() => go(back)}
        onSubmit={async (given) => {
          const body = WebhookInput.parse(given)
          if (webhook)
            await update.mutateAsync({
              named: webhook.name,
              params: { id: webhook.id },
              body: { ...body, revision: webhook.revision },
            })
          else await create.mutateAsync({ named: body.name, body })
          go(back)
        }}
      >
        <Field name="name" label={t('webhooks-ui-name')}>
          <Input autoFocus={!webhook} maxLength={60} />
        </Field>
        <Field name="kind" label={t('webhooks-ui-kind')} filled>
          <Select options={WebhookKind.options.map((value) => ({ value, label: t(`webhooks-ui-kind-${value}`) }))} />
        </Field>
        <Field
          name="url"
          label={t('webhooks-ui-url')}
          help={t(toChat ? 'webhooks-ui-chat-url-help' : 'webhooks-ui-url-help')}
        >
          <Input inputMode="url" spellCheck={false} />
        </Field>
        {(!toChat || signsMessages(kind)) && (
          <Field
            name="secret"
            label={t('webhooks-ui-secret')}
            help={t(toChat ? 'webhooks-ui-chat-secret-help' : 'webhooks-ui-secret-help')}
          >
            <Input.Password autoComplete="new-password" maxLength={200} />
          </Field>
        )}
        {toChat && (
          <Field name="language" label={t('webhooks-ui-language')} filled>
            <Select options={languages} />
          </Field>
        )}
        <Field name="events" label={t('webhooks-ui-events')}>
          <Select
            mode="multiple"
            showSearch={{ optionFilterProp: 'label' }}
            options={BuildEvent.options.map((value) => ({ value, label: t(`notifications-event-${value}`) }))}
          />
        </Field>
        <Field name="teamId" label={t('webhooks-ui-team')} help={t('webhooks-ui-team-help')}>
          <TeamSelect {...(webhook && { valueLabel: webhook.teamName })} />
        </Field>
        <Field name="enabled" label={t('webhooks-ui-enabled')} value="checked">
          <Switch />
        </Field>
      </Form>
      {webhook && (
        <Section title={t('webhooks-ui-deliveries')}>
          <DeliveryTable id={webhook.id} />
        </Section>
      )}
    </Page>
  )
}

const inputOf = ({ name, kind, language: lang, url, secret, enabled, teamId, events }: Webhook) => ({
  name,
  kind,
  language: lang,
  url,
  secret,
  enabled,
  events,
  ...(teamId === null ? {} : { teamId }),
})
