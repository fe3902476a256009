import { Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { blueprints, type Blueprint } from '@gantry/contract/blueprints/blueprints'
import { ServiceDocument, ServiceName, ServiceSpec } from '@gantry/contract/stacks/spec'
import { rulesOf } from '@gantry/contract/stacks/spec-rules'
import { documentOf } from '@gantry/tosca/compile'
import { cloneNode, putService } from '@gantry/tosca/edit'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { keepYamlDraft, yamlDraft } from '../../../ui/editor/yaml-draft.ts'
import { Field, Form } from '../../../ui/form/form.tsx'
import { to, useGo, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { plainSpec, ServiceFields } from '../../stacks/public.tsx'
import { draftKey, paramsOf, toVersions } from '../places.ts'
import { drawingOf } from './drawing.ts'

export type How = 'add' | 'edit' | 'clone'

export const AddNodePage = () => <ServicePage how="add" name="" />
export const EditNodePage = () => <ServicePage how="edit" name={useParam('sname')} />
export const CloneNodePage = () => <ServicePage how="clone" name={useParam('sname')} />

/** A service of a blueprint in the usual form of services. The result is a draft of the template. */
function ServicePage({ how, name }: { how: How; name: string }) {
  return (
    <NodePage how={how} name={name}>
      {(blueprint) => <NodeForm how={how} name={name} blueprint={blueprint} />}
    </NodePage>
  )
}

/** The page of a form for a part of a blueprint. */
export function NodePage({
  how,
  name,
  children,
}: {
  how: How
  name: string
  children: (blueprint: Blueprint) => ReactNode
}) {
  const teamId = useTeamId()
  const id = Number(useParam('blueprint_id'))
  const productId = useParam('product_id')
  const productName = useParam('product_name')
  const query = useRead(blueprints.get, { params: { teamId, id } }, { keep: false, staleMs: Infinity })
  const version = query.data?.version ?? '…'
  return (
    <Page
      title={t(`blueprints-ui-node-${how}-title`, { name, version })}
      crumbs={[
        { label: t('route-personal-products'), to: to('personal-products') },
        { label: productName, to: toVersions(productId) },
        { label: version, ...(query.data ? { to: to('blueprint', paramsOf(query.data)) } : {}) },
      ]}
    >
      <Loaded query={query}>{children}</Loaded>
    </Page>
  )
}

const schema = ServiceDocument.extend({ serviceName: ServiceName }).superRefine(rulesOf)

function NodeForm({ how, name, blueprint }: { how: How; name: string; blueprint: Blueprint }) {
  const go = useGo()
  const [text] = useState(() => yamlDraft(draftKey(blueprint.id))?.text ?? blueprint.template)
  const known = how === 'add' ? undefined : documentOf(text, name)
  const spec = known && ServiceSpec.safeParse(known.document)
  const back = () => go(to('blueprint', paramsOf(blueprint)))
  // a value that depends on an input may be anything, so it can only be changed in the text
  if (how !== 'add' && !spec?.success)
    return <p className="g-note g-note-warn">{t('blueprints-ui-node-text', { name })}</p>
  return (
    <Form
      schema={schema}
      whole
      initial={{ ...(spec?.data ?? plainSpec()), ...(how === 'edit' ? { serviceName: name } : {}) }}
      submit={t('blueprints-ui-node-keep')}
      needs={blueprints.update}
      onCancel={back}
      onSubmit={async ({ serviceName, ...document }) => {
        if (how !== 'edit' && drawingOf(text).some((one) => one.name === serviceName))
          throw new Error(t('blueprints-ui-node-taken', { name: serviceName }))
        const from = how === 'clone' ? cloneNode(text, name, serviceName) : text
        const next = putService(from, serviceName, ServiceSpec.parse(document), known?.inputs ?? new Map())
        keepYamlDraft(draftKey(blueprint.id), next)
        back()
        await Promise.resolve()
      }}
    >
      <Field name="serviceName" label={t('blueprints-ui-node')} help={t('blueprints-ui-node-help')}>
        <Input autoFocus maxLength={52} spellCheck={false} autoComplete="off" disabled={how === 'edit'} />
      </Field>
      <ServiceFields />
    </Form>
  )
}
