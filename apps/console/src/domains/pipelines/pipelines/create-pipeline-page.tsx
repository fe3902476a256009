import { Form as Antd, Input, Radio, Select } from 'antd'
import { useId, useState } from 'react'
import { z } from 'zod'
import { ImageStep } from '@gantry/contract/pipelines/definition'
import { pipelines, Repository } from '@gantry/contract/pipelines/pipelines'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Field, Form } from '../../../ui/form/form.tsx'
import { to, useGo } from '../../../ui/link.tsx'
import { Page, Section } from '../../../ui/page.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { RegistrySelect, useImagePath } from '../../images/public.tsx'
import { GroupSelect } from '../groups/group-select.tsx'
import { toPipeline } from './places.ts'
import { RepositoryFields } from '../definition/repository-fields.tsx'
import { ServiceSelect } from '../steps/service-select.tsx'
import { StackSelect } from '../steps/stack-select.tsx'
import { stagesOf, templates, type Template } from '../steps/templates.ts'
import styles from './pipelines.module.css'

const { appId, projectName, description } = pipelines.create.body.shape

/** The form's own fields: what the call takes, and the choices of a template. */
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

export function CreatePipelinePage() {
  const go = useGo()
  const [{ groupId }] = useUrlState({ groupId: '' })
  const [source, setSource] = useState<'git' | 'none'>('git')
  const [template, setTemplate] = useState<Template>('test')
  const create = useWrite(pipelines.create, { refreshes: [pipelines.list], done: 'create-success', quiet: true })
  const schema = source === 'git' ? withRepository : withoutRepository

  return (
    <Page
      narrow
      title={t('route-cd-create')}
      about={t('pipelines-ui-create-about')}
      crumbs={[{ label: t('route-pipeline-v1-list'), to: to('pipeline-v1-list') }]}
    >
      <Form
        schema={schema}
        {...(groupId === '' ? {} : { initial: { appId: Number(groupId) } })}
        submit={t('pipelines-ui-create')}
        needs="pipeline_pipeline_create"
        onCancel={() => go(to('pipeline-v1-list'))}
        onSubmit={async ({ repository, registryId, image, stackUuid, service, ...rest }) => {
          const stages = stagesOf(template, { checkout: source === 'git', registryId, image, stackUuid, service })
          const made = await create.mutateAsync({ body: { ...rest, repository, definition: { stages } } })
          go(toPipeline(template === 'empty' ? 'cd-orchestration' : 'cd-history', made))
        }}
      >
        <Section title={t('pipelines-ui-create-what')}>
          <div>
            <Field name="projectName" label={t('pipelines-ui-name')} help={t('pipelines-ui-name-help')}>
              <Input maxLength={30} />
            </Field>
            <Field name="appId" label={t('pipelines-ui-group')} help={t('pipelines-ui-group-help')}>
              <GroupSelect />
            </Field>
            <Field name="description" label={t('pipelines-ui-description')}>
              <Input.TextArea rows={2} maxLength={1000} />
            </Field>
          </div>
        </Section>
        <Section title={t('pipelines-ui-source')}>
          <Radio.Group
            className={`${styles.choice}`}
            aria-label={t('pipelines-ui-source')}
            value={source}
            onChange={(event) => setSource(event.target.value as 'git' | 'none')}
            options={[
              { value: 'git', label: t('pipelines-ui-source-git') },
              { value: 'none', label: t('pipelines-ui-source-none') },
            ]}
          />
          <div>{source === 'git' && <RepositoryFields />}</div>
        </Section>
        <Section title={t('pipelines-ui-template')} about={t('pipelines-ui-template-about')}>
          <TemplateChoice value={template} onChange={setTemplate} />
          {template === 'deploy' && <DeployChoices />}
        </Section>
      </Form>
    </Page>
  )
}

function TemplateChoice({ value, onChange }: { value: Template; onChange: (value: Template) => void }) {
  const id = useId()
  return (
    <div className={styles.cards} role="radiogroup" aria-label={t('pipelines-ui-template')}>
      {templates.map((template) => (
        <label key={template} className={styles.card}>
          <input
            type="radio"
            name="template"
            value={template}
            checked={value === template}
            aria-labelledby={`${id}-${template}`}
            aria-describedby={`${id}-${template}-memo`}
            onChange={() => onChange(template)}
          />
          <strong id={`${id}-${template}`}>{t(`pipelines-ui-template-${template}-name`)}</strong>
          <span id={`${id}-${template}-memo`}>{t(`pipelines-ui-template-${template}-memo`)}</span>
        </label>
      ))}
    </div>
  )
}

/** What "build an image and deploy" has to know; left open, the step that needs it is left out. */
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
