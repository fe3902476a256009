import { Input } from 'antd'
import { useState } from 'react'
import { ServiceName, ServiceSpec } from '@gantry/contract/stacks/spec'
import type { Sized } from '@gantry/contract/stacks/demand'
import { services } from '@gantry/contract/stacks/services'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Field, Form } from '../../../ui/form/form.tsx'
import { to, useGo, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { toService } from '../stacks/places.ts'
import { plainSpec, ServiceFields } from './service-fields.tsx'
import { ShareAfter, useShare } from '../stacks/share-after.tsx'
import { sizedOf } from '../stacks/sized.ts'

const schema = ServiceSpec.extend({ serviceName: ServiceName })

/** A new business service in a stack. */
export function AddServicePage() {
  const teamId = useTeamId()
  const go = useGo()
  const envId = useParam('env_id')
  const stackId = useParam('stack_id')
  const stackName = useParam('stack_name')
  const [next, setNext] = useState<Sized | undefined>(() => sizedOf(plainSpec()))
  const share = useShare({ teamId, envId, stack: stackId, next })
  const create = useWrite(services.create, { done: 'create-success', quiet: true })
  const back = () => go(to('app-list', {}, { keyword: stackName }))
  return (
    <Page
      title={t('stacks-ui-add-title', { stack: stackName })}
      crumbs={[
        { label: t('route-app-list'), to: to('app-list') },
        { label: stackName, to: to('app-list', {}, { keyword: stackName }) },
      ]}
    >
      <Form
        schema={schema}
        initial={plainSpec()}
        submit={t('stacks-ui-deploy')}
        needs="stack_service_create"
        disabled={share.short ?? false}
        onChange={(values) => setNext(sizedOf(values))}
        aside={{ title: t('stacks-ui-share-of', { stack: stackName }), content: <ShareAfter share={share} /> }}
        onCancel={back}
        onSubmit={async ({ serviceName, ...body }) => {
          const made = await create.mutateAsync({ named: serviceName, params: { teamId, stackId, serviceName }, body })
          go(toService(made))
        }}
      >
        <Field name="serviceName" label={t('stacks-ui-service-name')} help={t('stacks-ui-service-name-help')}>
          <Input autoFocus maxLength={52} spellCheck={false} autoComplete="off" />
        </Field>
        <ServiceFields />
      </Form>
    </Page>
  )
}
