import { Input, Select, Switch } from 'antd'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { releases, type ReleasePlan } from '@gantry/contract/blueprints/releases'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import { call } from '../../../api/call.ts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog, useDialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { beginning, InputFields, inputsOf, inputsSchema } from './inputs.tsx'
import { Plan } from './plan.tsx'
import { Send } from './send.tsx'
import styles from './release.module.css'

type Body = z.input<typeof releases.deploy.body>
interface Wanted {
  body: Body
  query: { istio?: 'true' }
  plan: ReleasePlan
}

interface DeployFormProps {
  /** A version of a product, or of a preset service. */
  source: { blueprintId: number } | { templateId: number }
  template: string
  clusters: readonly Cluster[]
  /** The fields of the stack's share, passed in because the stacks domain imports this one. */
  share: ReactNode
  onCancel: () => void
  onDone: (stackName: string) => void
}

/** The inputs of a blueprint, a preview of the deployment, and then the deployment. */
export function DeployForm({ source, template, clusters, share, onCancel, onDone }: DeployFormProps) {
  const teamId = useTeamId()
  const [inputs] = useState(() => inputsOf(template))
  const only = clusters.length === 1 ? clusters[0]?.uuid : undefined
  const planned = useDialog<Wanted>()
  const deploy = useWrite(releases.deploy, { quiet: true })
  const needs = releases.deploy
  const schema = releases.deploy.body
    .omit({ blueprintId: true, templateId: true })
    .extend({ inputs: inputsSchema(inputs), istio: z.boolean() })
  return (
    <>
      <Form
        schema={schema}
        initial={{
          inputs: beginning(inputs),
          quota: { cpu: null, memory: null },
          istio: false,
          ...(only === undefined ? {} : { envId: only }),
        }}
        submit={t('blueprints-ui-preview')}
        needs={needs}
        onCancel={onCancel}
        onSubmit={async ({ istio, ...values }) => {
          const body: Body = { ...values, ...source, inputs: (values.inputs ?? {}) as Body['inputs'] }
          const query = istio ? ({ istio: 'true' } as const) : {}
          const plan = await call(releases.deployCheck, { params: { teamId }, query, body })
          planned.show({ body, query, plan })
        }}
      >
        <Field name="stackName" label={t('blueprints-ui-stack')} help={t('blueprints-ui-stack-help')}>
          <Input autoFocus maxLength={30} spellCheck={false} autoComplete="off" />
        </Field>
        <Field name="envId" label={t('blueprints-ui-cluster')}>
          <Select
            className="g-select"
            placeholder={t('ui-choose-one')}
            options={clusters.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          />
        </Field>
        <InputFields inputs={inputs} />
        <fieldset className={styles.part}>
          <legend>{t('blueprints-ui-share')}</legend>
          {share}
        </fieldset>
        <Field name="istio" label={t('blueprints-ui-istio')} value="checked">
          <Switch />
        </Field>
      </Form>
      {planned.open && (
        <PlanDialog
          wanted={planned.open}
          onClose={planned.hide}
          onDeploy={async ({ body, query }) => {
            await deploy.mutateAsync({ params: { teamId }, query, body })
            onDone(body.stackName)
          }}
        />
      )}
    </>
  )
}

interface PlanDialogProps {
  wanted: Wanted
  onClose: () => void
  onDeploy: (wanted: Wanted) => Promise<unknown>
}

function PlanDialog({ wanted, onClose, onDeploy }: PlanDialogProps) {
  const { plan, body } = wanted
  return (
    <Dialog width={720} title={t('blueprints-ui-plan-title', { stack: body.stackName })} onClose={onClose}>
      <Plan plan={plan} />
      <Send
        label={t('blueprints-ui-deploy')}
        needs={releases.deploy}
        blocked={plan.refusals[0]}
        onClose={onClose}
        onSend={() => onDeploy(wanted)}
      />
    </Dialog>
  )
}
