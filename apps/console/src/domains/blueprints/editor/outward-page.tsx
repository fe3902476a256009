import { Input } from 'antd'
import { useState } from 'react'
import { blueprints, type Blueprint } from '@gantry/contract/blueprints/blueprints'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { documentOf } from '@gantry/tosca/compile'
import { putService } from '@gantry/tosca/edit'
import type { z } from 'zod'
import { t } from '../../../api/language.ts'
import { keepYamlDraft, yamlDraft } from '../../../ui/editor/yaml-draft.ts'
import { Field, Form } from '../../../ui/form/form.tsx'
import { to, useGo, useParam } from '../../../ui/link.tsx'
import {
  freshOutward,
  outwardDocuments,
  OutwardFieldsIn,
  type OutwardKind,
  outwardKindOf,
} from '../../stacks/public.tsx'
import { draftKey, paramsOf } from '../places.ts'
import { drawingOf } from './drawing.ts'
import { NodePage } from './service-page.tsx'

export const AddOutwardNodePage = () => <OutwardPage name="" />
export const EditOutwardNodePage = () => <OutwardPage name={useParam('sname')} />

/** A way in of a blueprint, or an external service, in the same form as in a stack. */
function OutwardPage({ name }: { name: string }) {
  const type = outwardKindOf(useParam('kind'))
  return (
    <NodePage how={name === '' ? 'add' : 'edit'} name={name}>
      {(blueprint) => <OutwardForm key={type} name={name} type={type} blueprint={blueprint} />}
    </NodePage>
  )
}

interface OutwardFormProps {
  /** Empty: a new one. */
  name: string
  type: OutwardKind
  blueprint: Blueprint
}

function OutwardForm({ name, type, blueprint }: OutwardFormProps) {
  const go = useGo()
  const [text] = useState(() => yamlDraft(draftKey(blueprint.id))?.text ?? blueprint.template)
  const isNew = name === ''
  const known = isNew ? undefined : documentOf(text, name)
  const spec = known && ServiceSpec.safeParse(known.document)
  const outward = spec?.data?.outward
  const drawing = drawingOf(text)
  const targets = drawing.filter(({ kind }) => kind === 'service' || kind === 'external').map((one) => one.name)
  const schema: z.ZodType<
    z.output<(typeof outwardDocuments)[typeof type]>,
    z.input<(typeof outwardDocuments)[typeof type]>
  > = outwardDocuments[type]
  const back = () => go(to('blueprint', paramsOf(blueprint)))
  // a value that depends on an input may be anything, so it can only be changed in the text
  if (!isNew && outward?.type !== type)
    return <p className="g-note g-note-warn">{t('blueprints-ui-node-text', { name })}</p>
  return (
    <>
      <p className="g-note">{t(`outward-ui-about-${type}`)}</p>
      <Form
        schema={schema}
        whole
        initial={{ outward: outward ?? freshOutward(type), ...(isNew ? {} : { serviceName: name }) } as never}
        submit={t('blueprints-ui-node-keep')}
        needs={blueprints.update}
        onCancel={back}
        onSubmit={async ({ serviceName, ...document }) => {
          if (isNew && drawing.some((one) => one.name === serviceName))
            throw new Error(t('blueprints-ui-node-taken', { name: serviceName }))
          const next = putService(text, serviceName, ServiceSpec.parse(document), known?.inputs ?? new Map())
          keepYamlDraft(draftKey(blueprint.id), next)
          back()
          await Promise.resolve()
        }}
      >
        <Field name="serviceName" label={t('blueprints-ui-node')} help={t('blueprints-ui-node-help')}>
          <Input autoFocus maxLength={52} spellCheck={false} autoComplete="off" disabled={!isNew} />
        </Field>
        <OutwardFieldsIn type={type} around={{ targets }} />
      </Form>
    </>
  )
}
