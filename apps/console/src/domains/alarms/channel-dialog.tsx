import { type AlarmChannel, alarmChannels, ChannelKind, hasAddress } from '@gantry/contract/alarms/channels'
import { teams } from '@gantry/contract/teams/teams'
import { isChat, signsMessages } from '@gantry/contract/webhooks/chat'
import { Input, Select, Switch } from 'antd'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { language, t } from '../../api/language.ts'
import { example } from '../../ui/form/example.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { useTeamId } from '../../ui/link.tsx'

const languages = [
  { value: 'en', label: 'English' },
  { value: 'zh', label: '中文' },
]

const inputOf = ({ name, kind, addresses, users, members, url, secret, language: lang }: AlarmChannel) => ({
  name,
  kind,
  addresses,
  users,
  members,
  url,
  secret,
  language: lang,
})

export function ChannelDialog({ channel, onClose }: { channel?: AlarmChannel; onClose: () => void }) {
  const teamId = useTeamId()
  const [typed, setTyped] = useState<{ kind?: ChannelKind | undefined; members?: boolean | undefined }>(
    channel ?? { kind: 'push', members: true },
  )
  const { kind = 'push', members = false } = typed
  const save = useWrite(alarmChannels.save, { done: 'save-success', quiet: true })
  const isMail = kind === 'mail'
  return (
    <FormDialog
      title={channel ? t('alarms-ui-channel-edit', { name: channel.name }) : t('alarms-ui-channel-add')}
      onClose={onClose}
      schema={alarmChannels.save.body}
      initial={channel ? inputOf(channel) : { kind: 'push', members: true, users: [], addresses: [], language }}
      submit={t('ui-save')}
      needs={alarmChannels.save}
      onChange={setTyped}
      onSubmit={async (body) => {
        const known = channel ? { id: channel.id, revision: channel.revision } : {}
        await save.mutateAsync({ named: body.name, params: { team_id: teamId }, body: { ...body, ...known } })
      }}
    >
      <Field name="name" label={t('alarms-ui-name')}>
        <Input autoFocus={!channel} maxLength={15} />
      </Field>
      <Field name="kind" label={t('alarms-ui-channel-kind')} filled>
        <Select
          options={ChannelKind.options.map((value) => ({ value, label: t(`alarms-ui-channel-kind-${value}`) }))}
        />
      </Field>
      {hasAddress(kind) ? (
        <>
          <Field
            name="url"
            label={t('alarms-ui-channel-url')}
            help={t(isChat(kind) ? 'webhooks-ui-chat-url-help' : 'alarms-ui-channel-url-help')}
            filled
          >
            <Input inputMode="url" spellCheck={false} />
          </Field>
          {(!isChat(kind) || signsMessages(kind)) && (
            <Field
              name="secret"
              label={t('alarms-ui-channel-secret')}
              help={t(isChat(kind) ? 'webhooks-ui-chat-secret-help' : 'alarms-ui-channel-secret-help')}
              filled
            >
              <Input.Password autoComplete="new-password" maxLength={200} />
            </Field>
          )}
        </>
      ) : (
        <>
          <Field name="members" label={t('alarms-ui-channel-members')} value="checked">
            <Switch />
          </Field>
          {!members && <Members teamId={teamId} />}
        </>
      )}
      {isMail && (
        <Field name="addresses" label={t('alarms-ui-channel-addresses')} help={t('alarms-ui-channel-addresses-help')}>
          <Select
            mode="tags"
            open={false}
            suffixIcon={null}
            tokenSeparators={[',', ' ', ';']}
            placeholder={example('on-call@example.com')}
          />
        </Field>
      )}
      {kind !== 'push' && (
        <Field
          name="language"
          label={t('alarms-ui-channel-language')}
          help={t('alarms-ui-channel-language-help')}
          filled
        >
          <Select options={languages} />
        </Field>
      )}
    </FormDialog>
  )
}

function Members({ teamId }: { teamId: number }) {
  const members = useRead(teams.members, { params: { id: teamId }, query: { pageSize: -1 } })
  return (
    <Field name="users" label={t('alarms-ui-channel-users')}>
      <Select
        mode="multiple"
        loading={members.isPending}
        showSearch={{ optionFilterProp: 'label' }}
        options={members.data?.items.map(({ id, userName }) => ({ value: id, label: userName })) ?? []}
      />
    </Field>
  )
}
