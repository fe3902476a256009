import { Checkbox, Form as Antd, Input, Select, Switch } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import type { Parameter } from '@gantry/contract/pipelines/parameters'
import { pipelines, type Pipeline } from '@gantry/contract/pipelines/pipelines'
import {
  AfterRule,
  ForgeEventKind,
  ScheduleRule,
  triggers,
  type Trigger,
  type TriggerRule,
  WebhookRule,
} from '@gantry/contract/pipelines/triggers'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { ChoiceCards } from '../../../ui/form/choice-cards.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { RemoteSelect, useDelayed } from '../../../ui/form/remote-select.tsx'
import { zonedTime } from '../../../ui/format.ts'
import { useTeamId } from '../../../ui/link.tsx'
import { ParameterInput } from '../definition/parameter-input.tsx'
import styles from './triggers.module.css'

type Kind = TriggerRule['kind']

const kinds: readonly Kind[] = ['webhook', 'schedule', 'pipeline']
const { enabled, parameters } = triggers.create.body.shape
const schemas = {
  webhook: z.object({ enabled, parameters, rule: WebhookRule }),
  schedule: z.object({ enabled, parameters, rule: ScheduleRule }),
  pipeline: z.object({ enabled, parameters, rule: AfterRule }),
}

const initialRules = {
  webhook: { kind: 'webhook', events: ['push'], branches: [], tags: [], paths: [], forks: false, forksWait: true },
  schedule: {
    kind: 'schedule',
    cron: '0 3 * * 1-5',
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    branch: '',
  },
  pipeline: { kind: 'pipeline', on: 'success' },
} as const

interface TriggerDialogProps {
  pipeline: Pipeline
  /** The trigger to change; absent: a new one. */
  trigger?: Trigger
  onClose: () => void
  /** The secret of a new webhook, which only this answer contains. */
  onSecret: (secret: string) => void
}

export function TriggerDialog(p: TriggerDialogProps) {
  const { pipeline } = p
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const setting = useRead(pipelines.setting, { params })
  const [kind, setKind] = useState<Kind>(p.trigger?.rule.kind ?? 'webhook')
  return (
    <Dialog
      width={640}
      title={t(p.trigger ? 'pipelines-ui-trigger-edit' : 'pipelines-ui-trigger-add')}
      onClose={p.onClose}
    >
      {!p.trigger && (
        <ChoiceCards
          label={t('pipelines-ui-trigger-kind')}
          choices={kinds.map((value) => ({ value, title: t(`pipelines-ui-trigger-kind-${value}`) }))}
          value={kind}
          onChange={setKind}
        />
      )}
      <Loaded query={setting}>
        {(data) => <TriggerForm key={kind} {...p} kind={kind} declared={data.parameters} />}
      </Loaded>
    </Dialog>
  )
}

interface FormProps extends TriggerDialogProps {
  kind: Kind
  declared: readonly Parameter[]
}

function TriggerForm({ pipeline, trigger, kind, declared, onClose, onSecret }: FormProps) {
  const options = { quiet: true } as const
  const create = useWrite(triggers.create, { ...options, done: 'create-success' })
  const update = useWrite(triggers.update, { ...options, done: 'save-success' })
  const params = { id: pipeline.id }
  // a trigger sets no secrets, which have defaults in the pipeline
  const fillable = declared.filter((one) => one.kind !== 'secret')
  return (
    <Form
      schema={schemas[kind] as z.ZodObject<{ rule: z.ZodType; enabled: typeof enabled; parameters: typeof parameters }>}
      initial={{
        enabled: trigger?.enabled ?? true,
        parameters: trigger?.parameters ?? {},
        rule: trigger?.rule ?? initialRules[kind],
      }}
      submit={t('ui-save')}
      needs={trigger ? triggers.update : triggers.create}
      onCancel={onClose}
      onSubmit={async (values) => {
        // the kind is not a form field
        const rule = { ...(values.rule as object), kind } as TriggerRule
        const body = { enabled: values.enabled ?? true, parameters: values.parameters ?? {}, rule }
        if (trigger) {
          const { id: triggerId, revision } = trigger
          await update.mutateAsync({ named: '', params: { ...params, triggerId }, body: { ...body, revision } })
        } else {
          const { secret } = await create.mutateAsync({ named: '', params, body })
          if (secret !== '') onSecret(secret)
        }
        onClose()
      }}
    >
      {kind === 'webhook' && <WebhookFields />}
      {kind === 'schedule' && <ScheduleFields />}
      {kind === 'pipeline' && <AfterFields {...(trigger ? { name: trigger.follows } : {})} />}
      {fillable.length > 0 && (
        <div className={styles.parameters} role="group" aria-label={t('pipelines-ui-trigger-parameters')}>
          <strong>{t('pipelines-ui-trigger-parameters')}</strong>
          <div className="g-columns">
            {fillable.map(({ name, kind, values, defaultValue }) => (
              <Field
                key={name}
                name={['parameters', name]}
                label={<span className="g-mono">{name}</span>}
                help={defaultValue !== '' && `${t('pipelines-ui-default')}: ${defaultValue}`}
              >
                <ParameterInput kind={kind} values={values} clearable />
              </Field>
            ))}
          </div>
        </div>
      )}
      <Field name="enabled" label={t('pipelines-ui-trigger-enabled')} value="checked">
        <Switch />
      </Field>
    </Form>
  )
}

const patterns = <Select mode="tags" open={false} suffixIcon={null} className="g-mono" />

function WebhookFields() {
  return (
    <>
      <Field name={['rule', 'events']} label={t('pipelines-ui-trigger-events')} filled>
        <Checkbox.Group
          options={ForgeEventKind.options.map((value) => ({ value, label: t(`pipelines-ui-trigger-${value}`) }))}
        />
      </Field>
      <Field
        name={['rule', 'branches']}
        label={t('pipelines-ui-trigger-branches')}
        help={t('pipelines-ui-trigger-branches-help')}
      >
        {patterns}
      </Field>
      <Field name={['rule', 'tags']} label={t('pipelines-ui-trigger-tags')} help={t('pipelines-ui-trigger-tags-help')}>
        {patterns}
      </Field>
      <Field
        name={['rule', 'paths']}
        label={t('pipelines-ui-trigger-paths')}
        help={t('pipelines-ui-trigger-paths-help')}
      >
        {patterns}
      </Field>
      <Field
        name={['rule', 'forks']}
        label={t('pipelines-ui-trigger-forks')}
        help={t('pipelines-ui-trigger-forks-help')}
        value="checked"
      >
        <Switch />
      </Field>
      <Field
        name={['rule', 'forksWait']}
        label={t('pipelines-ui-trigger-forksWait')}
        help={t('pipelines-ui-trigger-forksWait-help')}
        value="checked"
      >
        <Switch />
      </Field>
    </>
  )
}

function ScheduleFields() {
  return (
    <>
      <div className="g-columns">
        <Field
          name={['rule', 'cron']}
          label={t('pipelines-ui-trigger-cron')}
          help={t('pipelines-ui-trigger-cron-help')}
        >
          <Input spellCheck={false} className="g-mono" maxLength={100} />
        </Field>
        <Field name={['rule', 'zone']} label={t('pipelines-ui-trigger-zone')}>
          <Select
            showSearch
            options={['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({ value: zone, label: zone }))}
          />
        </Field>
      </div>
      <NextSlots />
      <Field name={['rule', 'branch']} label={t('pipelines-ui-branch')}>
        <Input spellCheck={false} className="g-mono" />
      </Field>
    </>
  )
}

/** The pause in typing after which the server is asked. */
const pauseMs = 300

/** The next times of the schedule that is being typed. */
function NextSlots() {
  const form = Antd.useFormInstance()
  const cron: string = Antd.useWatch(['rule', 'cron'], form) ?? ''
  const zone: string = Antd.useWatch(['rule', 'zone'], form) ?? ''
  const typed = useDelayed(cron.trim(), pauseMs)
  const isWhole = ScheduleRule.shape.cron.safeParse(typed).success
  const slots = useRead(
    triggers.slots,
    { query: { cron: typed, zone } },
    { enabled: isWhole && zone !== '', keep: false },
  )
  return (
    <div className={styles.slots} role="status" aria-label={t('pipelines-ui-trigger-next')}>
      <span className="g-quiet">{t('pipelines-ui-trigger-next')}</span>
      {slots.error && isWhole ? (
        <p className="g-bad">{wordsOf(slots.error)}</p>
      ) : (
        <ol>
          {Array.from({ length: 5 }, (_, at) => {
            const slot = isWhole ? slots.data?.[at] : undefined
            return (
              <li key={at} className="g-num">
                {slot === undefined ? '–' : zonedTime(slot)}
              </li>
            )
          })}
        </ol>
      )}
    </div>
  )
}

function AfterFields({ name }: { name?: string }) {
  const teamId = useTeamId()
  return (
    <div className="g-columns">
      <Field name={['rule', 'pipelineId']} label={t('pipelines-ui-trigger-follows')}>
        <RemoteSelect
          endpoint={pipelines.list}
          input={{ params: { teamId } }}
          pageSize={10}
          option={(one) => ({ value: one.id, label: one.projectName })}
          {...(name === undefined ? {} : { valueLabel: name })}
        />
      </Field>
      <Field name={['rule', 'on']} label={t('pipelines-ui-trigger-on')} filled>
        <Select
          options={AfterRule.shape.on.unwrap().options.map((value) => ({
            value,
            label: t(`pipelines-ui-trigger-on-${value}`),
          }))}
        />
      </Field>
    </div>
  )
}
