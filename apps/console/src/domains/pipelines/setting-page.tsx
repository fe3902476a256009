import { ConfigProvider, Form as Antd, Input, InputNumber, Radio, Select, Switch } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { Parameter } from '@gantry/contract/pipelines/definition'
import { pipelines, Setting, type Pipeline, type StoredSetting } from '@gantry/contract/pipelines/pipelines'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { PipelineFrame } from './pipeline-frame.tsx'
import { RepositoryFields } from './repository-fields.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { filled, VariableRow } from './variables.ts'
import { VariableFields } from './variable-fields.tsx'

const { repository, variables: _, ...shape } = Setting.shape
const rest = z.object({ ...shape, variables: z.array(VariableRow), parameters: z.array(Parameter) })
const withRepository = rest.extend({ repository: repository.unwrap() })
const withoutRepository = rest.extend({ repository: z.undefined() })

export function SettingPage() {
  return (
    <PipelineFrame screen="cd-setting">
      {(pipeline) => <SettingView key={pipeline.id} pipeline={pipeline} />}
    </PipelineFrame>
  )
}

function SettingView({ pipeline }: { pipeline: Pipeline }) {
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const query = useRead(pipelines.setting, { params })
  return <Loaded query={query}>{(newest) => <NewestSetting pipeline={pipeline} newest={newest} />}</Loaded>
}

function NewestSetting({ pipeline, newest }: { pipeline: Pipeline; newest: StoredSetting }) {
  const [base, setBase] = useState(newest)
  const [dirty, setDirty] = useState(false)
  useUnsaved(dirty)
  // what others save is followed until something is changed here: then the server compares
  if (newest.revision !== base.revision && !dirty) setBase(newest)
  return <SettingForm key={base.revision} pipeline={pipeline} setting={base} onDirty={setDirty} />
}

interface FormProps {
  pipeline: Pipeline
  setting: StoredSetting
  onDirty: (dirty: boolean) => void
}

function SettingForm({ pipeline, setting, onDirty }: FormProps) {
  const [source, setSource] = useState<'git' | 'none'>(setting.repository ? 'git' : 'none')
  const save = useWrite(pipelines.setSetting, {
    refreshes: [pipelines.setting, pipelines.get, pipelines.list],
    done: 'save-success',
    quiet: true,
  })
  const { repository: kept, revision, ...initial } = setting
  return (
    <div className="p-narrow">
      <Form
        schema={source === 'git' ? withRepository : withoutRepository}
        initial={{ ...initial, ...(kept ? { repository: kept } : {}) }}
        submit={t('ui-save')}
        needs="pipeline_pipeline_edit"
        onChange={() => onDirty(true)}
        onSubmit={async ({ variables, repository: given, ...values }) => {
          await save.mutateAsync({
            params: { appId: pipeline.appId, pipelineId: pipeline.id },
            body: { ...values, variables: filled(variables), repository: given ?? null, revision },
          })
          onDirty(false)
        }}
      >
        {/* what is typed meanwhile would be lost: the form begins anew with the settings as they are saved */}
        <ConfigProvider componentDisabled={save.isPending}>
          <Section title={t('pipelines-ui-setting-general')}>
            <div>
              <Field name="projectName" label={t('pipelines-ui-name')} help={t('pipelines-ui-name-help')}>
                <Input maxLength={30} />
              </Field>
              <Field name="description" label={t('pipelines-ui-description')}>
                <Input.TextArea rows={2} maxLength={1000} />
              </Field>
            </div>
          </Section>
          <Section title={t('pipelines-ui-source')}>
            <Radio.Group
              className="p-choice"
              aria-label={t('pipelines-ui-source')}
              value={source}
              onChange={(event) => {
                setSource(event.target.value as 'git' | 'none')
                onDirty(true)
              }}
              options={[
                { value: 'git', label: t('pipelines-ui-source-git') },
                { value: 'none', label: t('pipelines-ui-source-none') },
              ]}
            />
            <div>{source === 'git' && <RepositoryFields pipelineId={pipeline.id} />}</div>
          </Section>
          <Section title={t('pipelines-ui-setting-builds')}>
            <div className="g-columns">
              <Field
                filled
                name="timeoutMinutes"
                label={t('pipelines-ui-timeout')}
                help={t('pipelines-ui-timeout-week')}
              >
                <InputNumber min={0} max={10_080} precision={0} suffix={t('ui-unit-min')} className="p-wide" />
              </Field>
              <Field filled name="keepBuilds" label={t('pipelines-ui-keep')} help={t('pipelines-ui-keep-help')}>
                <InputNumber min={0} max={10_000} precision={0} className="p-wide" />
              </Field>
              <Field name="agentLabels" label={t('pipelines-ui-labels')} help={t('pipelines-ui-labels-help')}>
                <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ']} />
              </Field>
              <Field
                name="concurrent"
                label={t('pipelines-ui-concurrent')}
                help={t('pipelines-ui-concurrent-help')}
                value="checked"
              >
                <Switch />
              </Field>
            </div>
          </Section>
          <Section title={t('pipelines-ui-variables')} about={t('pipelines-ui-variables-about')}>
            <VariableFields name="variables" label={t('pipelines-ui-variables')} />
          </Section>
          <Section title={t('pipelines-ui-parameters')} about={t('pipelines-ui-parameters-about')}>
            <ParameterFields />
          </Section>
        </ConfigProvider>
      </Form>
    </div>
  )
}

function ParameterFields() {
  return (
    <Antd.List name="parameters">
      {(rows, { add, remove }, { errors }) => (
        <div className="p-rows" role="group" aria-label={t('pipelines-ui-parameters')}>
          {rows.map((row, at) => (
            <div key={row.key} className="g-field-row p-row p-row-parameter">
              <Field within="parameters" name={[row.name, 'name']} label={t('pipelines-ui-name')}>
                <Input spellCheck={false} className="g-mono" />
              </Field>
              <Field within="parameters" name={[row.name, 'defaultValue']} label={t('pipelines-ui-default')} filled>
                <Input spellCheck={false} className="g-mono" />
              </Field>
              <Field within="parameters" name={[row.name, 'description']} label={t('pipelines-ui-description')}>
                <Input maxLength={1000} />
              </Field>
              <Button
                quiet
                icon="delete"
                label={t('pipelines-ui-row-remove', { number: at + 1 })}
                onClick={() => remove(row.name)}
              />
            </div>
          ))}
          <Antd.ErrorList errors={errors} />
          <Button icon="add" onClick={() => add({ name: '', defaultValue: '', description: '' })}>
            {t('pipelines-ui-parameter-add')}
          </Button>
        </div>
      )}
    </Antd.List>
  )
}
