import { alarmChannels } from '@gantry/contract/alarms/channels'
import { type AlarmRule, AlarmRuleInput, alarmRules } from '@gantry/contract/alarms/rules'
import { alarmTemplates } from '@gantry/contract/alarms/templates'
import { Input, InputNumber, Select, Switch } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { RemoteSelect } from '../../ui/form/remote-select.tsx'
import { to, useGo, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/table/url-state.ts'
import { ConditionFields } from './condition-fields.tsx'
import { MapsField, type Named } from './maps-field.tsx'
import { Preview } from './preview.tsx'

type Input = z.input<typeof AlarmRuleInput>

/** The rule in `?rule`; without it a new one, for `?service` if opened from its page. */
export function RulePage() {
  const [{ rule, service, name, stack, env }] = useUrlState({ rule: '', service: '', name: '', stack: '', env: '' })
  if (rule !== '') return <StoredRule id={Number(rule)} />
  const watched = { resource: 'service', id: Number(service), name, stackName: stack, envId: env } as const
  return <RuleForm watched={service === '' ? [] : [watched]} />
}

function StoredRule({ id }: { id: number }) {
  // a form in use does not follow others' changes
  const query = useRead(alarmRules.get, { params: { alert_id: id } }, { staleMs: Infinity })
  return <Loaded query={query}>{(rule) => <RuleForm key={rule.revision} rule={rule} />}</Loaded>
}

const initialRule: Partial<Input> = {
  enabled: true,
  rules: [{ metric: 'cpu_percent', operator: '>', threshold: 80, for: 5, severity: 'warning' }],
  channels: [],
  repeatHours: 4,
}

const inputOf = ({ name, enabled, rules, templateId, maps, channels, repeatHours }: AlarmRule): Input => ({
  name,
  enabled,
  rules,
  ...(templateId === null ? {} : { templateId }),
  maps: maps.map(({ resource, id }) => ({ resource, id })),
  channels: channels.map(({ id }) => id),
  repeatHours,
})

function RuleForm({ rule, watched = [] }: { rule?: AlarmRule; watched?: readonly Named[] }) {
  const teamId = useTeamId()
  const go = useGo()
  const back = to('monitorRule', { team_id: teamId })
  const initial = rule ? inputOf(rule) : { ...initialRule, maps: watched.map(({ resource, id }) => ({ resource, id })) }
  const [typed, setTyped] = useState<Partial<Input>>(initial)
  const [named, setNamed] = useState<readonly Named[]>(rule?.maps ?? watched)
  const channels = useRead(alarmChannels.list, { params: { id: teamId }, query: { pageSize: -1 } })
  const create = useWrite(alarmRules.create, { done: 'create-success', quiet: true })
  const update = useWrite(alarmRules.update, { done: 'update-success', quiet: true })
  return (
    <Page title={rule?.name ?? t('route-rule-create')} crumbs={[{ label: t('route-monitorRule'), to: back }]}>
      <Form
        schema={alarmRules.create.body}
        initial={initial}
        submit={t('ui-save')}
        needs={rule ? alarmRules.update : alarmRules.create}
        onCancel={() => go(back)}
        onChange={setTyped}
        aside={{ title: t('alarms-ui-preview'), content: <Preview typed={typed} known={named} /> }}
        onSubmit={async (given) => {
          const body = AlarmRuleInput.parse(given)
          if (rule)
            await update.mutateAsync({ named: body.name, body: { ...body, id: rule.id, revision: rule.revision } })
          else await create.mutateAsync({ named: body.name, params: { team_id: teamId }, body })
          go(back)
        }}
      >
        <Field name="name" label={t('alarms-ui-name')}>
          <Input autoFocus={!rule} maxLength={64} />
        </Field>
        <Field name="templateId" label={t('alarms-ui-template')} help={t('alarms-ui-template-help')}>
          <RemoteSelect
            clearable
            endpoint={alarmTemplates.list}
            input={{ params: { id: teamId } }}
            pageSize={10}
            placeholder={t('alarms-ui-template-none')}
            option={({ id, name }) => ({ value: id, label: name })}
            {...(rule?.templateName && { valueLabel: rule.templateName })}
          />
        </Field>
        <ConditionFields />
        <Field name="maps" label={t('alarms-ui-maps')} help={t('alarms-ui-maps-help')}>
          <MapsField known={named} onNamed={(one) => setNamed([...named, one])} />
        </Field>
        <Field name="channels" label={t('alarms-ui-channels')} help={t('alarms-ui-channels-help')}>
          <Select
            mode="multiple"
            loading={channels.isPending}
            showSearch={{ optionFilterProp: 'label' }}
            options={channels.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          />
        </Field>
        <Field name="repeatHours" label={t('alarms-ui-repeat')} help={t('alarms-ui-repeat-help')} filled>
          <InputNumber min={0} max={168} precision={0} />
        </Field>
        <Field name="enabled" label={t('alarms-ui-enabled')} value="checked">
          <Switch />
        </Field>
      </Form>
    </Page>
  )
}
