import { alarmChannels, hasAddress } from '@gantry/contract/alarms/channels'
import { Input, Select, Switch } from 'antd'
import { BuildEvent } from '@gantry/contract/notifications/build-event'
import { Channel, type NotificationRule, notificationRules } from '@gantry/contract/notifications/rules'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import { example } from '../../../ui/form/example.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { PeopleFields } from '../reviews/people-fields.tsx'

const initialRule = {
  enabled: true,
  events: ['build.failed', 'build.fixed', 'build.waiting'] satisfies BuildEvent[],
  channels: ['mail'] satisfies Channel[],
  triggerer: true,
  deciders: true,
}

const inputOf = ({ groupId, pipelineId, ...rule }: NotificationRule) => ({
  name: rule.name,
  enabled: rule.enabled,
  events: rule.events,
  branches: rule.branches,
  channels: rule.channels,
  triggerer: rule.triggerer,
  deciders: rule.deciders,
  users: rule.users,
  roles: rule.roles,
  methods: rule.methods,
  ...(groupId === null ? {} : { groupId }),
  ...(pipelineId === null ? {} : { pipelineId }),
})

interface RuleDialogProps {
  /** The rule to change; absent: a new one. */
  rule?: NotificationRule
  onClose: () => void
}

export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const teamId = useTeamId()
  const writes = { quiet: true } as const
  const create = useWrite(notificationRules.create, { ...writes, done: 'create-success' })
  const update = useWrite(notificationRules.update, { ...writes, done: 'update-success' })
  const scope = rule?.scopeName ? { valueLabel: rule.scopeName } : {}
  return (
    <FormDialog
      title={rule ? t('notifications-ui-rule-edit', { name: rule.name }) : t('notifications-ui-rule-add')}
      onClose={onClose}
      schema={notificationRules.create.body}
      initial={rule ? inputOf(rule) : initialRule}
      submit={t('ui-save')}
      needs={rule ? notificationRules.update : notificationRules.create}
      onSubmit={async (body) => {
        if (rule)
          await update.mutateAsync({
            named: body.name,
            params: { teamId, ruleId: rule.id },
            query: { revision: rule.revision },
            body,
          })
        else await create.mutateAsync({ named: body.name, params: { teamId }, body })
      }}
    >
      <Field name="name" label={t('notifications-ui-name')}>
        <Input autoFocus={!rule} maxLength={60} />
      </Field>
      <Field name="events" label={t('notifications-ui-events')}>
        <Select
          mode="multiple"
          showSearch={{ optionFilterProp: 'label' }}
          options={BuildEvent.options.map((value) => ({ value, label: t(`notifications-event-${value}`) }))}
        />
      </Field>
      <div className="g-columns">
        <Field name="groupId" label={t('notifications-ui-group')}>
          <RemoteSelect
            clearable
            endpoint={groups.list}
            input={{ params: { teamId } }}
            pageSize={10}
            placeholder={t('notifications-ui-scope-all')}
            option={(one) => ({ value: one.id, label: one.name })}
            {...scope}
          />
        </Field>
        <Field name="pipelineId" label={t('notifications-ui-pipeline')}>
          <RemoteSelect
            clearable
            endpoint={pipelines.list}
            input={{ params: { teamId } }}
            pageSize={10}
            placeholder={t('notifications-ui-scope-all')}
            option={(one) => ({ value: one.id, label: one.projectName })}
            {...scope}
          />
        </Field>
      </div>
      <Field name="branches" label={t('notifications-ui-branches')} help={t('notifications-ui-branches-help')}>
        <Select
          mode="tags"
          open={false}
          suffixIcon={null}
          tokenSeparators={[',', ' ']}
          placeholder={example('main, release/*')}
        />
      </Field>
      <Field name="channels" label={t('notifications-ui-channels')}>
        <Select
          mode="multiple"
          showSearch={{ optionFilterProp: 'label' }}
          options={Channel.options.map((value) => ({ value, label: t(`notifications-ui-channel-${value}`) }))}
        />
      </Field>
      <div className="g-columns">
        <Field name="triggerer" label={t('notifications-ui-triggerer')} value="checked">
          <Switch />
        </Field>
        <Field name="deciders" label={t('notifications-ui-deciders')} value="checked">
          <Switch />
        </Field>
      </div>
      <PeopleFields teamId={teamId} users={t('notifications-ui-users')} roles={t('notifications-ui-roles')} />
      <Methods known={rule?.methods ?? []} />
      <Field name="enabled" label={t('notifications-ui-enabled')} value="checked">
        <Switch />
      </Field>
    </FormDialog>
  )
}

/** A user who may not see the notification methods leaves them as they are. */
function Methods({ known }: { known: readonly number[] }) {
  const teamId = useTeamId()
  const may = useMay(alarmChannels.list)
  const query = { pageSize: -1 } as const
  const all = useRead(alarmChannels.list, { params: { id: teamId }, query }, { enabled: may })
  const options = may
    ? (all.data?.items.filter(({ kind }) => hasAddress(kind)).map(({ id, name }) => ({ value: id, label: name })) ?? [])
    : known.map((id) => ({ value: id, label: `${t('noun-alarm-channel')} ${id}` }))
  return (
    <Field name="methods" label={t('notifications-ui-methods')} help={t('notifications-ui-methods-help')}>
      <Select
        mode="multiple"
        disabled={!may}
        loading={may && all.isPending}
        showSearch={{ optionFilterProp: 'label' }}
        options={options}
      />
    </Field>
  )
}
