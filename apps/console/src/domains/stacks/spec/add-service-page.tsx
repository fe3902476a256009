import { Input } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { dryRuns } from '@gantry/contract/stacks/preview/dry-run'
import { ServiceDocument, ServiceName } from '@gantry/contract/stacks/spec'
import { rulesOf } from '@gantry/contract/stacks/spec-rules'
import type { Sized } from '@gantry/contract/stacks/demand'
import { services } from '@gantry/contract/stacks/services'
import { call } from '../../../api/call.ts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { withoutBlanks } from '../../../ui/form/problems.ts'
import { to, useGo, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { toService } from '../stacks/places.ts'
import { DryRunDialog } from '../preview/dry-run.tsx'
import { plainSpec, ServiceFields } from './service-fields.tsx'
import { ShareAfter, useShare } from '../stacks/share-after.tsx'
import { sizedOf } from '../stacks/sized.ts'

const schema = ServiceDocument.extend({ serviceName: ServiceName }).superRefine(rulesOf)

/** Adds a business service to a stack. */
export function AddServicePage() {
  const teamId = useTeamId()
  const go = useGo()
  const envId = useParam('env_id')
  const stackId = useParam('stack_id')
  const stackName = useParam('stack_name')
  const [next, setNext] = useState<Sized | undefined>(() => sizedOf(plainSpec()))
  const share = useShare({ teamId, envId, stack: stackId, next })
  const [draft, setDraft] = useState<z.output<typeof schema>>()
  const asking = useDialog<z.output<typeof schema>>()
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
        whole
        initial={plainSpec()}
        submit={t('stacks-ui-deploy')}
        needs={services.create}
        disabled={share.short ?? false}
        onChange={(values) => {
          setNext(sizedOf(values))
          setDraft(schema.safeParse(withoutBlanks(values)).data)
        }}
        foot={
          <Button disabled={draft ? false : t('preview-ui-invalid')} onClick={() => draft && asking.show(draft)}>
            {t('preview-ui-ask')}
          </Button>
        }
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
      {asking.open && (
        <DryRunDialog
          name={asking.open.serviceName}
          onClose={asking.hide}
          ask={() => {
            const { serviceName, ...body } = asking.open as z.output<typeof schema>
            return call(dryRuns.create, { params: { teamId, stackId, serviceName }, body })
          }}
        />
      )}
    </Page>
  )
}
