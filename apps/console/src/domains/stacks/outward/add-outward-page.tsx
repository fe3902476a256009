import { Input } from 'antd'
import { services } from '@gantry/contract/stacks/services'
import type { z } from 'zod'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Field, Form } from '../../../ui/form/form.tsx'
import { to, useGo, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { toService } from '../stacks/places.ts'
import { schemas } from './kinds.ts'
import { kindOf } from './spelling.ts'
import { freshOutward, OutwardFields } from './outward-fields.tsx'

/** Adds an external service, or a way into a stack. */
export function AddOutwardPage() {
  const teamId = useTeamId()
  const go = useGo()
  const envId = useParam('env_id')
  const stackId = useParam('stack_id')
  const stackName = useParam('stack_name')
  const type = kindOf(useParam('kind'))
  const create = useWrite(services.create, { done: 'create-success', quiet: true })
  const schema: z.ZodType<z.output<(typeof schemas)[typeof type]>, z.input<(typeof schemas)[typeof type]>> = schemas[
    type
  ]
  return (
    <Page
      title={t(`outward-ui-add-${type}`, { stack: stackName })}
      crumbs={[
        { label: t('route-app-list'), to: to('app-list') },
        { label: stackName, to: to('app-list', {}, { keyword: stackName }) },
      ]}
    >
      <p className="g-note">{t(`outward-ui-about-${type}`)}</p>
      <Form
        key={type}
        schema={schema}
        whole
        initial={{ outward: freshOutward(type) } as never}
        submit={t('stacks-ui-deploy')}
        needs={services.create}
        onCancel={() => go(to('app-list', {}, { keyword: stackName }))}
        onSubmit={async ({ serviceName, ...body }) => {
          const made = await create.mutateAsync({ named: serviceName, params: { teamId, stackId, serviceName }, body })
          go(toService(made))
        }}
      >
        <Field name="serviceName" label={t('stacks-ui-service-name')} help={t('stacks-ui-service-name-help')}>
          <Input autoFocus maxLength={52} spellCheck={false} autoComplete="off" />
        </Field>
        <OutwardFields type={type} place={{ teamId, envId, stackId }} />
      </Form>
    </Page>
  )
}
