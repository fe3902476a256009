import { ConfigProvider, Input, InputNumber, Select, Switch } from 'antd'
import { useState, type ReactNode } from 'react'
import { z } from 'zod'
import { Parameter } from '@gantry/contract/pipelines/parameters'
import {
  DefinitionFile,
  pipelines,
  Setting,
  type Pipeline,
  type StoredSetting,
} from '@gantry/contract/pipelines/pipelines'
import { call } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { isStale, ReviewDialog } from '../../../ui/editor/review-dialog.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { rebase } from '../../../ui/form/rebase.ts'
import { Section } from '../../../ui/page.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { CacheList } from '../caches/cache-list.tsx'
import { TriggerList } from '../triggers/trigger-list.tsx'
import { PipelineFrame } from './pipeline-frame.tsx'
import { settingText } from './setting-text.ts'
import { RepositoryFields, SourceChoice, unsetRepository, type Source } from '../definition/repository-fields.tsx'
import { useUnsaved } from '../../../ui/form/unsaved.ts'
import { filled, VariableRow } from '../definition/variables.ts'
import { DefinitionFileFields, type DefinitionPlace } from '../definition-files/definition-file-fields.tsx'
import { ParameterFields } from '../definition/parameter-fields.tsx'
import { CommitStatusField, ConcurrencyFields, RetentionFields } from './running-fields.tsx'
import { VariableFields } from '../definition/variable-fields.tsx'
import styles from './pipelines.module.css'

const { repository, variables: _, definitionFile: _file, ...shape } = Setting.shape
const rest = z.object({ ...shape, variables: z.array(VariableRow), parameters: z.array(Parameter) })
const schemaFor = (source: Source, place: DefinitionPlace) =>
  rest.extend({
    repository: source === 'git' ? repository.unwrap() : z.undefined(),
    definitionFile: place === 'file' ? DefinitionFile : z.undefined(),
  })

export function SettingPage() {
  return (
    <PipelineFrame screen="cd-setting">
      {(pipeline) => (
        <Tabs
          tabs={[
            {
              key: 'setting',
              label: t('pipelines-ui-settings'),
              content: () => <SettingView key={pipeline.id} pipeline={pipeline} />,
            },
            {
              key: 'triggers',
              label: t('pipelines-ui-triggers'),
              content: () => <TriggerList key={pipeline.id} pipeline={pipeline} />,
            },
            {
              key: 'caches',
              label: t('pipelines-ui-caches'),
              content: () => <CacheList key={pipeline.id} pipeline={pipeline} />,
            },
          ]}
        />
      )}
    </PipelineFrame>
  )
}

function SettingView({ pipeline }: { pipeline: Pipeline }) {
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const query = useRead(pipelines.setting, { params })
  return <Loaded query={query}>{(newest) => <NewestSetting pipeline={pipeline} newest={newest} />}</Loaded>
}

const unnumbered = ({ revision: _, ...setting }: StoredSetting): Setting => setting

/**
 * If a colleague has changed the same fields meanwhile, the edit is rebased on the present version, and reviewed before
 * it is saved.
 */
function NewestSetting({ pipeline, newest }: { pipeline: Pipeline; newest: StoredSetting }) {
  const [base, setBase] = useState(newest)
  /** The initial values of the form. */
  const [draft, setDraft] = useState(() => unnumbered(newest))
  const [dirty, setDirty] = useState(false)
  const [refused, setRefused] = useState<Setting>()
  const reviewing = useDialog<Setting>()
  const save = useWrite(pipelines.setSetting, {
    done: 'save-success',
    quiet: true,
  })
  useUnsaved(dirty)
  // others' changes are adopted until there is an edit: then the server compares
  const adopt = (saved: StoredSetting) => {
    setBase(saved)
    setDraft(unnumbered(saved))
    setDirty(false)
  }
  if (newest.revision > base.revision && !dirty) adopt(newest)
  const params = { appId: pipeline.appId, pipelineId: pipeline.id }
  const send = async (setting: Setting) => {
    adopt(await save.mutateAsync({ named: setting.projectName, params, body: { ...setting, revision: base.revision } }))
  }
  const makeAgain = async (edited: Setting) => {
    const now = await call(pipelines.setting, { params })
    const next = rebase(edited, unnumbered(base), unnumbered(now))
    setBase(now)
    setDraft(next)
    setRefused(undefined)
    reviewing.show(next)
  }
  const next = reviewing.open
  return (
    <div className={styles.settings}>
      <SettingForm
        key={`form ${base.revision}`}
        pipeline={pipeline}
        setting={draft}
        saving={save.isPending}
        onChange={() => {
          setDirty(true)
          setRefused(undefined)
        }}
        onSubmit={async (setting) => {
          try {
            await send(setting)
          } catch (error) {
            if (isStale(error, 'pipelines-changed-since')) setRefused(setting)
            throw error
          }
        }}
        foot={
          refused && (
            <Button icon="refresh" onClick={() => void makeAgain(refused).catch(toast.error)}>
              {t('ui-review-rebase')}
            </Button>
          )
        }
      />
      {next && (
        <ReviewDialog
          key={`review ${base.revision}`}
          title={t('pipelines-ui-review-title', { name: pipeline.projectName })}
          before={settingText(unnumbered(base))}
          after={settingText(next)}
          same={t('ui-yaml-same')}
          note={t('pipelines-ui-rebased', { revision: base.revision })}
          send={{ label: t('ui-save'), needs: pipelines.setSetting }}
          stale="pipelines-changed-since"
          onSend={async () => {
            await send(next)
            reviewing.hide()
          }}
          onRebase={() => makeAgain(next)}
          onClose={reviewing.hide}
        />
      )}
    </div>
  )
}

interface FormProps {
  pipeline: Pipeline
  setting: Setting
  saving: boolean
  onChange: () => void
  onSubmit: (setting: Setting) => Promise<void>
  foot: ReactNode
}

function SettingForm({ pipeline, setting, saving, onChange, onSubmit, foot }: FormProps) {
  const [source, setSource] = useState<Source>(setting.repository ? 'git' : 'none')
  const [place, setPlace] = useState<DefinitionPlace>(setting.definitionFile ? 'file' : 'console')
  const { repository: kept, definitionFile, ...initial } = setting
  return (
    <Form
      schema={schemaFor(source, place)}
      initial={{
        ...initial,
        repository: kept ?? unsetRepository,
        definitionFile: definitionFile ?? DefinitionFile.parse({}),
      }}
      submit={t('ui-save')}
      needs={pipelines.setSetting}
      foot={foot}
      onChange={onChange}
      onSubmit={({ variables, repository: given, definitionFile: file, ...values }) =>
        // the review has no field here
        onSubmit(
          Setting.parse({
            ...values,
            review: setting.review,
            variables: filled(variables),
            repository: given ?? null,
            definitionFile: file ?? null,
          }),
        )
      }
    >
      {/* input during a save would be lost: the form restarts with the saved settings */}
      <ConfigProvider componentDisabled={saving}>
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
          <SourceChoice
            value={source}
            onChange={(next) => {
              setSource(next)
              onChange()
            }}
          />
          <div>{source === 'git' && <RepositoryFields pipelineId={pipeline.id} />}</div>
        </Section>
        <Section title={t('pipelines-ui-definition-place')} about={t('pipelines-ui-definition-about')}>
          <DefinitionFileFields
            place={place}
            source={source}
            onChange={(next) => {
              setPlace(next)
              onChange()
            }}
          />
        </Section>
        <Section title={t('pipelines-ui-setting-builds')}>
          <div className="g-columns">
            <Field filled name="timeoutMinutes" label={t('pipelines-ui-timeout')} help={t('pipelines-ui-timeout-week')}>
              <InputNumber min={0} max={10_080} precision={0} suffix={t('ui-unit-min')} className={`${styles.wide}`} />
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
            <ConcurrencyFields />
            <CommitStatusField />
          </div>
        </Section>
        <RetentionFields />
        <Section title={t('pipelines-ui-variables')} about={t('pipelines-ui-variables-about')}>
          <VariableFields name="variables" label={t('pipelines-ui-variables')} />
        </Section>
        <Section title={t('pipelines-ui-parameters')} about={t('pipelines-ui-parameters-about')}>
          <ParameterFields />
        </Section>
      </ConfigProvider>
    </Form>
  )
}
