import { Checkbox, Input, Select } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { promotions, type Setting, type SettingKind } from '@gantry/contract/blueprints/promotions'
import type { ReleasePlan } from '@gantry/contract/blueprints/releases'
import type { Stack } from '@gantry/contract/stacks/stacks'
import { call } from '../../../api/call.ts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { ValueArea } from '../../../ui/form/value-area.tsx'
import { Plan, Send } from '../../blueprints/public.tsx'
import { useClusters } from '../services/reads.ts'
import { ShareFields } from './share-fields.tsx'
import styles from './stacks.module.css'

const Target = promotions.promote.body.pick({ envId: true, stackName: true })
type Target = z.input<typeof Target>
type Body = z.input<typeof promotions.promote.body>
/** Values of the second step; the first three belong to the target. */
type Values = Pick<Body, 'description' | 'quota' | 'remove'> & { values?: Record<string, string | undefined> }

interface PromotionInput {
  target: Target
  exists: boolean
  settings: Setting[]
}

/** Promotes a stack: the target, the settings that differ there, a preview, and the promotion. */
export function PromoteDialog({ stack, onClose }: { stack: Stack; onClose: () => void }) {
  const { teamId, envId, name: stackName } = stack
  const params = { teamId, envId, stackName }
  const [input, setInput] = useState<PromotionInput>()
  const [values, setValues] = useState<Values>()
  const [planned, setPlanned] = useState<{ plan: ReleasePlan; body: Body }>()
  const promote = useWrite(promotions.promote, { quiet: true })
  const title = planned
    ? t('promotions-ui-preview-title', { stack: stackName, target: planned.body.stackName })
    : t('promotions-ui-title', { stack: stackName })
  return (
    <Dialog width={720} closes="asked" title={title} onClose={onClose}>
      {planned ? (
        <>
          <Plan plan={planned.plan} />
          <div>
            <Button icon="back" onClick={() => setPlanned(undefined)}>
              {t('promotions-ui-back')}
            </Button>
          </div>
          <Send
            label={t('promotions-ui-promote')}
            needs={promotions.promote}
            blocked={planned.plan.refusals[0]}
            onClose={onClose}
            onSend={async () => {
              const made = await promote.mutateAsync({ params, body: planned.body })
              toast.ok(t('promotions-ui-done', { stack: stackName, target: `${made.name} (${made.envName})` }))
              onClose()
            }}
          />
        </>
      ) : input ? (
        <SettingsForm
          stack={stack}
          input={input}
          given={values}
          onBack={() => setInput(undefined)}
          onPreview={async (next) => {
            const body = { ...input.target, ...bodyOf(input, next) }
            const plan = await call(promotions.check, { params, body })
            setValues(next)
            setPlanned({ plan, body })
          }}
        />
      ) : (
        <TargetForm
          stack={stack}
          onClose={onClose}
          onChosen={async (target) => {
            const query = { targetEnv: target.envId, targetName: target.stackName }
            const found = await call(promotions.settings, { params, query })
            setValues(undefined)
            setInput({ target, ...found })
          }}
        />
      )}
    </Dialog>
  )
}

interface TargetProps {
  stack: Stack
  onClose: () => void
  onChosen: (target: Target) => Promise<unknown>
}

function TargetForm({ stack, onClose, onChosen }: TargetProps) {
  const clusters = useClusters(stack.teamId)
  const others = (clusters.data ?? []).filter(({ uuid }) => uuid !== stack.envId)
  const first = others[0]?.uuid
  return (
    <Form
      // The first other cluster is known only after the clusters are loaded.
      key={first ?? 'none'}
      schema={Target}
      initial={{ stackName: first === undefined ? '' : stack.name, envId: first ?? stack.envId }}
      submit={t('promotions-ui-next')}
      needs={promotions.promote}
      onCancel={onClose}
      onSubmit={onChosen}
    >
      <p className="g-faint">{t('promotions-ui-memo')}</p>
      <Field name="envId" label={t('blueprints-ui-cluster')} filled>
        <Select
          className="g-select"
          loading={clusters.isFetching}
          options={(clusters.data ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))}
        />
      </Field>
      <Field name="stackName" label={t('blueprints-ui-stack')} help={t('promotions-ui-target-name-help')}>
        <Input maxLength={30} spellCheck={false} autoComplete="off" />
      </Field>
    </Form>
  )
}

/** Shorter lists are shown completely. */
const fewSettings = 8
/** Secrets and settings other than plain variables and files usually differ. */
const isUsual = ({ kind, secret }: Setting): boolean => secret || (kind !== 'variable' && kind !== 'file')

const fieldOf = (at: number) => `s${at}`
const presentOf = ({ target, source }: Setting): string => target ?? source

/** The changed settings only; the server decides the others, including masked values. */
function bodyOf({ settings }: PromotionInput, { values = {}, ...rest }: Values): Omit<Body, 'envId' | 'stackName'> {
  return {
    ...rest,
    values: settings.flatMap((setting, at) => {
      const value = values[fieldOf(at)] ?? ''
      const isGiven = setting.secret ? value !== '' : value !== presentOf(setting)
      return isGiven ? [{ service: setting.service, key: setting.key, value }] : []
    }),
  }
}

interface SettingsProps {
  stack: Stack
  input: PromotionInput
  given: Values | undefined
  onBack: () => void
  onPreview: (values: Values) => Promise<unknown>
}

function SettingsForm({ stack, input, given, onBack, onPreview }: SettingsProps) {
  const { settings, exists, target } = input
  const clusters = useClusters(stack.teamId)
  const [all, setAll] = useState(settings.length <= fewSettings)
  const cluster = clusters.data?.find(({ uuid }) => uuid === target.envId)?.name ?? ''
  const services = [...new Set(settings.map(({ service }) => service))]
  const beginning = Object.fromEntries(
    settings.flatMap((one, at) => (one.secret ? [] : [[fieldOf(at), presentOf(one)] as const])),
  )
  return (
    <Form
      schema={promotions.promote.body.pick({ description: true, quota: true, remove: true }).extend({
        values: z.object(Object.fromEntries(settings.map((_, at) => [fieldOf(at), z.string().optional()]))),
      })}
      whole
      initial={given ?? { description: '', quota: stack.quota, remove: false, values: beginning }}
      submit={t('blueprints-ui-preview')}
      foot={
        <Button icon="back" onClick={onBack}>
          {t('promotions-ui-back')}
        </Button>
      }
      onSubmit={(values) => onPreview(values)}
    >
      <p className="g-faint">
        {t(`promotions-ui-${exists ? 'existing' : 'new'}`, { stack: target.stackName, cluster })}
      </p>
      {settings.length === 0 && <p>{t('promotions-ui-no-settings')}</p>}
      {services.map((service) => {
        const visible = settings
          .map((setting, at) => ({ setting, at }))
          .filter(({ setting }) => setting.service === service && (all || isUsual(setting)))
        if (visible.length === 0) return null
        return (
          <fieldset key={service} className={styles.settings}>
            <legend>{service}</legend>
            {visible.map(({ setting, at }) => (
              <SettingField key={setting.key} setting={setting} at={at} source={stack.name} />
            ))}
          </fieldset>
        )
      })}
      {settings.some((one) => !isUsual(one)) && settings.length > fewSettings && (
        <div>
          <Button small onClick={() => setAll(!all)}>
            {all ? t('promotions-ui-few') : t('promotions-ui-all', { count: settings.length })}
          </Button>
        </div>
      )}
      {exists ? (
        <Field name="remove" label={t('promotions-ui-remove')} value="checked">
          <Checkbox />
        </Field>
      ) : (
        <ShareFields under="quota" />
      )}
    </Form>
  )
}

/** The object of a setting: a variable, a volume, a rule. */
const subjectOf = ({ key }: Setting): string => {
  const file = /^files\.(.*)$/.exec(key)?.[1]
  if (file !== undefined) return file
  const [, name = ''] = /(?:environment|volumes|rules)\.(.*?)(?:\.(?:claim|storageClass|host|port))?$/.exec(key) ?? []
  const container = /^containers\.([^.]*)\./.exec(key)?.[1]
  return container === undefined ? name : `${container}/${name}`
}

const lined = new Set<SettingKind>(['variable', 'file', 'certificate', 'key'])

function SettingField({ setting, at, source }: { setting: Setting; at: number; source: string }) {
  const { kind, secret } = setting
  const help = secret
    ? t(`promotions-ui-secret-${setting.target === null ? 'source' : 'target'}`, { stack: source })
    : setting.target !== null && setting.target !== setting.source
      ? t('promotions-ui-was', { stack: source, value: setting.source.slice(0, 80) || '–' })
      : undefined
  return (
    <Field
      name={['values', fieldOf(at)]}
      label={t(`promotions-ui-kind-${kind}`, { name: subjectOf(setting) })}
      help={help}
      filled={!secret}
    >
      {lined.has(kind) ? <ValueArea secret={secret} /> : <Input spellCheck={false} autoComplete="off" />}
    </Field>
  )
}
