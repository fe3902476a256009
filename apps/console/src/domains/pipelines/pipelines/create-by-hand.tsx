import { Form as Antd, Input, Select } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { ImageStep } from '@gantry/contract/pipelines/steps/image'
import { Repository } from '@gantry/contract/pipelines/pipelines'
import { proposals } from '@gantry/contract/pipelines/editing/proposals'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { ChoiceCards } from '../../../ui/form/choice-cards.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { Section } from '../../../ui/page.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { RegistrySelect, useImagePath } from '../../images/public.tsx'
import { GroupSelect } from '../groups/group-select.tsx'
import { toPipeline } from './places.ts'
import { RepositoryFields, SourceChoice, unsetRepository, type Source } from '../definition/repository-fields.tsx'
import { ServiceSelect } from '../steps/service-select.tsx'
import { StackSelect } from '../steps/stack-select.tsx'
import { stagesOf, templates, type Template } from '../steps/templates.ts'

const { appId, projectName, description } = proposals.create.body.shape

/** The fields of the form: the input of the call, and the choices of a template. */
const shared = z.object({
  appId,
  projectName,
  description,
  registryId: ImageStep.shape.registryId.optional(),
  image: ImageStep.shape.repository.optional(),
  stackUuid: z.string().optional(),
  service: z.string().optional(),
})
const withRepository = shared.extend({ repository: Repository })
const withoutRepository = shared.extend({ repository: z.undefined() })

/** Creates a pipeline whose stages come from a template, or are written later. */
export function CreateByHand() {
  const go = useGo()
  const teamId = useTeamId()
  const [{ groupId }] = useUrlState({ groupId: '' })
  const [source, setSource] = useState<Source>('git')
  const [template, setTemplate] = useState<Template>('test')
  const create = useWrite(proposals.create, {
    done: 'create-success',
    quiet: true,
  })
  const schema = source === 'git' ? withRepository : withoutRepository

  return (
    <Form
      schema={schema}
      initial={{ repository: unsetRepository, ...(groupId === '' ? {} : { appId: Number(groupId) }) }}
      submit={t('pipelines-ui-create')}
      needs={proposals.create}
      onCancel={() => go(to('pipeline-v1-list'))}
      onSubmit={async ({ repository, registryId, image, stackUuid, service, ...rest }) => {
        const stages = stagesOf(template, { checkout: source === 'git', registryId, image, stackUuid, service })
        const made = await create.mutateAsync({
          params: { teamId },
          body: { ...rest, repository, definition: { stages } },
        })
        go(toPipeline(template === 'empty' ? 'cd-orchestration' : 'cd-history', made))
      }}
    >
      <Section title={t('pipelines-ui-create-what')}>
        <div>
          <Field name="projectName" label={t('pipelines-ui-name')} help={t('pipelines-ui-name-help')}>
            <Input maxLength={30} />
          </Field>
          <Field name="appId" label={t('pipelines-ui-group')} help={t('pipelines-onboard-group-help')}>
            <GroupSelect />
          </Field>
          <Field name="description" label={t('pipelines-ui-description')}>
            <Input.TextArea rows={2} maxLength={1000} />
          </Field>
        </div>
      </Section>
      <Section title={t('pipelines-ui-source')}>
        <SourceChoice value={source} onChange={setSource} />
        <div>{source === 'git' && <RepositoryFields />}</div>
      </Section>
      <Section title={t('pipelines-ui-template')} about={t('pipelines-ui-template-about')}>
        <ChoiceCards
          label={t('pipelines-ui-template')}
          choices={templates.map((value) => ({
            value,
            title: t(`pipelines-ui-template-${value}-name`),
            memo: t(`pipelines-ui-template-${value}-memo`),
          }))}
          value={template}
          onChange={setTemplate}
        />
        {template === 'deploy' && <DeployChoices />}
      </Section>
    </Form>
  )
}

/** The choices of "build an image and deploy"; an empty choice omits the step that needs it. */
function DeployChoices() {
  const form = Antd.useFormInstance()
  const stack: string | undefined = Antd.useWatch('stackUuid', form)
  const path = useImagePath(Antd.useWatch('registryId', form))
  return (
    <div className="g-columns">
      <Field name="registryId" label={t('pipelines-ui-registry')} help={t('pipelines-ui-registry-help')}>
        <RegistrySelect />
      </Field>
      <Field name="image" label={t('pipelines-ui-image-path')} help={path.help}>
        <Input spellCheck={false} placeholder={path.placeholder} />
      </Field>
      <Field name="stackUuid" label={t('pipelines-ui-stack')} help={t('pipelines-ui-stack-help')}>
        <StackSelect />
      </Field>
      <Field name="service" label={t('pipelines-ui-service')} help={t('pipelines-ui-service-help')}>
        {stack === undefined ? (
          <Select disabled placeholder={t('pipelines-ui-service-first')} />
        ) : (
          <ServiceSelect stack={stack} />
        )}
      </Field>
    </div>
  )
}
