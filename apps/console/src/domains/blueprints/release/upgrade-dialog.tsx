import { useState } from 'react'
import { z } from 'zod'
import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { releases, type ReleasePlan } from '@gantry/contract/blueprints/releases'
import { catalogTemplates } from '@gantry/contract/catalog/templates'
import type { Stack } from '@gantry/contract/stacks/stacks'
import { call } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { beginning, InputFields, inputsOf, inputsSchema } from './inputs.tsx'
import { Plan } from './plan.tsx'
import { Send } from './send.tsx'

/** Upgrades a stack to another version: the version, its inputs, a preview, and the upgrade. */
export function UpgradeDialog({ stack, onClose }: { stack: Stack; onClose: () => void }) {
  return (
    <Dialog
      width={720}
      closes="asked"
      title={t('blueprints-ui-upgrade-title', { stack: stack.name })}
      onClose={onClose}
    >
      {stack.catalogId === null ? (
        <WithBlueprint stack={stack} onClose={onClose} />
      ) : (
        <WithPreset stack={stack} catalogId={stack.catalogId} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface OfStack {
  stack: Stack
  onClose: () => void
}

function WithBlueprint({ stack, onClose }: OfStack) {
  const { teamId, productId } = stack
  const [chosen, setChosen] = useState<number>()
  const query = useRead(
    blueprints.get,
    { params: { teamId, id: chosen ?? 0 } },
    { enabled: chosen !== undefined, keep: false },
  )
  return (
    <>
      <RemoteSelect
        endpoint={blueprints.list}
        input={{ params: { teamId }, query: productId === null ? {} : { application_id: productId } }}
        pageSize={10}
        label={t('blueprints-ui-version')}
        placeholder={t('blueprints-ui-version-choose')}
        option={(row) => ({ value: row.id, label: `${row.productName} ${row.version}` })}
        {...(chosen === undefined
          ? {}
          : { value: chosen, valueLabel: query.data ? `${query.data.productName} ${query.data.version}` : '…' })}
        onChange={setChosen}
      />
      {chosen !== undefined && (
        <Loaded query={query}>
          {({ id, template }) => (
            <Upgrade key={id} stack={stack} source={{ blueprintId: id }} template={template} onClose={onClose} />
          )}
        </Loaded>
      )}
    </>
  )
}

/** A stack from a preset service is upgraded to another version of that. */
function WithPreset({ stack, catalogId, onClose }: OfStack & { catalogId: number }) {
  const { teamId } = stack
  const [chosen, setChosen] = useState<number>()
  const query = useRead(
    catalogTemplates.get,
    { params: { id: chosen ?? 0 } },
    { enabled: chosen !== undefined, keep: false },
  )
  return (
    <>
      <RemoteSelect
        endpoint={catalogTemplates.list}
        input={{ params: { catalogId }, query: { teamId } }}
        pageSize={10}
        label={t('blueprints-ui-version')}
        placeholder={t('blueprints-ui-version-choose')}
        option={(row) => ({ value: row.id, label: `${row.catalogName} ${row.version}` })}
        {...(chosen === undefined
          ? {}
          : { value: chosen, valueLabel: query.data ? `${query.data.catalogName} ${query.data.version}` : '…' })}
        onChange={setChosen}
      />
      {chosen !== undefined && (
        <Loaded query={query}>
          {({ id, template }) => (
            <Upgrade key={id} stack={stack} source={{ templateId: id }} template={template} onClose={onClose} />
          )}
        </Loaded>
      )}
    </>
  )
}

interface Wanted {
  source: { blueprintId: number } | { templateId: number }
  template: string
}

function Upgrade({ stack, source, template, onClose }: OfStack & Wanted) {
  const params = { teamId: stack.teamId, envId: stack.envId, stackName: stack.name }
  const latest = useRead(releases.latest, { params }, { keep: false })
  return (
    <Loaded query={{ ...latest, data: latest.isLoading ? undefined : { release: latest.data ?? null } }}>
      {({ release }) => (
        <UpgradeForm
          params={params}
          source={source}
          template={template}
          given={release?.inputs ?? {}}
          onClose={onClose}
        />
      )}
    </Loaded>
  )
}

interface UpgradeFormProps extends Wanted {
  params: { teamId: number; envId: string; stackName: string }
  given: Record<string, string | number | boolean>
  onClose: () => void
}

function UpgradeForm({ params, source, template, given, onClose }: UpgradeFormProps) {
  const [inputs] = useState(() => inputsOf(template))
  const [planned, setPlanned] = useState<{ plan: ReleasePlan; body: z.input<typeof releases.upgrade.body> }>()
  const upgrade = useWrite(releases.upgrade, { quiet: true })
  if (planned)
    return (
      <>
        <Plan plan={planned.plan} />
        <Send
          label={t('blueprints-ui-upgrade')}
          needs={releases.upgrade}
          blocked={planned.plan.refusals[0]}
          onClose={onClose}
          onSend={async () => {
            await upgrade.mutateAsync({ params, body: planned.body })
            onClose()
          }}
        />
      </>
    )
  return (
    <Form
      schema={z.object({ inputs: inputsSchema(inputs, true) })}
      initial={{ inputs: beginning(inputs, given) }}
      submit={t('blueprints-ui-preview')}
      onCancel={onClose}
      onSubmit={async (values) => {
        const body = { ...source, inputs: (values.inputs ?? {}) as Record<string, string> }
        setPlanned({ body, plan: await call(releases.check, { params, body }) })
      }}
    >
      <InputFields inputs={inputs} kept />
    </Form>
  )
}
