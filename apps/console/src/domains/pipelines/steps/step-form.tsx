import { later } from '../../../ui/feedback/later.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Input, Select } from 'antd'
import { lazy, Suspense } from 'react'
import { CheckoutStep, type StepInput } from '@gantry/contract/pipelines/definition'
import { t } from '../../../api/language.ts'
import { ConditionFields } from '../editor/condition-fields.tsx'
import { CacheFields } from './cache-fields.tsx'
import { CoverageFields, ScanFields } from './findings-fields.tsx'
import { CodeQualityFields } from './code-quality-fields.tsx'
import { DeployFields } from './deploy-fields.tsx'
import { ImageFields } from './image-fields.tsx'
import { FilesField } from './files-field.tsx'
import { NumberField, StepField, SwitchField, useReadOnly } from './step-field.tsx'
import { EnvironmentField, patched, TimeoutField, type FieldsProps, type Of } from './step-parts.tsx'
import styles from './steps.module.css'

const CopyFields = later(async () => (await import('./outgoing-fields.tsx')).CopyFields, <Skeleton rows={6} />)
const MailFields = later(async () => (await import('./outgoing-fields.tsx')).MailFields, <Skeleton rows={6} />)
const HttpFields = later(async () => (await import('./served-fields.tsx')).HttpFields, <Skeleton rows={6} />)
const PipelineFields = later(async () => (await import('./served-fields.tsx')).PipelineFields, <Skeleton rows={6} />)
const HelmFields = later(async () => (await import('./release-fields.tsx')).HelmFields, <Skeleton rows={6} />)
const BlueprintFields = later(async () => (await import('./release-fields.tsx')).BlueprintFields, <Skeleton rows={6} />)
const ScriptEditor = lazy(async () => ({ default: (await import('./script-editor.tsx')).ScriptEditor }))

interface StepFormProps extends FieldsProps<StepInput> {
  /** Names of earlier image steps, whose images a deployment can use. */
  images: readonly string[]
  /** What conditions can refer to: the pipeline's parameters, and outputs of earlier steps. */
  parameters?: readonly string[]
  outputs?: readonly string[]
}

/** The fields of one step: the common ones, and those of its type. */
export function StepForm({ step, onChange, images, parameters = [], outputs = [] }: StepFormProps) {
  return (
    <div className={styles.stepForm}>
      <StepField name="name" label={t('pipelines-ui-name')}>
        {(control) => (
          <Input
            {...control}
            value={step.name}
            maxLength={30}
            onChange={(event) => onChange({ ...step, name: event.target.value })}
          />
        )}
      </StepField>
      <SwitchField
        name="always"
        label={t('pipelines-ui-always')}
        help={t('pipelines-ui-always-help')}
        value={step.always ?? false}
        onChange={(always) => onChange(patched(step, { always: always || undefined }))}
      />
      <TypeFields step={step} onChange={onChange} images={images} />
      <ConditionFields
        when={step.when}
        onChange={(when) => onChange(patched(step, { when }))}
        parameters={parameters}
        outputs={outputs}
      />
    </div>
  )
}

function TypeFields({ step, onChange, images }: StepFormProps) {
  switch (step.type) {
    case 'checkout':
      return <CheckoutFields step={step} onChange={onChange} />
    case 'script':
      return <ScriptFields step={step} onChange={onChange} />
    case 'report':
      return <ReportFields step={step} onChange={onChange} />
    case 'artifact':
      return <FilesField step={step} onChange={onChange} help={t('pipelines-ui-files-artifact')} />
    case 'image':
      return <ImageFields step={step} onChange={onChange} />
    case 'coverage':
      return <CoverageFields step={step} onChange={onChange} />
    case 'scan':
      return <ScanFields step={step} onChange={onChange} />
    case 'cache':
      return <CacheFields step={step} onChange={onChange} />
    case 'code-quality':
      return <CodeQualityFields step={step} onChange={onChange} />
    case 'copy':
      return <CopyFields step={step} onChange={onChange} />
    case 'mail':
      return <MailFields step={step} onChange={onChange} />
    case 'http':
      return <HttpFields step={step} onChange={onChange} />
    case 'pipeline':
      return <PipelineFields step={step} onChange={onChange} />
    case 'helm':
      return <HelmFields step={step} onChange={onChange} />
    case 'blueprint':
      return <BlueprintFields step={step} onChange={onChange} />
    case 'deploy':
      return <DeployFields step={step} onChange={onChange} images={images} />
  }
}

function CheckoutFields({ step, onChange }: FieldsProps<Of<'checkout'>>) {
  return (
    <>
      <NumberField
        name="depth"
        label={t('pipelines-ui-depth')}
        help={t('pipelines-ui-depth-help')}
        min={0}
        max={100_000}
        precision={0}
        value={step.depth ?? 1}
        onChange={(depth) => onChange(patched(step, { depth }))}
      />
      <StepField name="submodules" label={t('pipelines-ui-submodules')} help={t('pipelines-ui-submodules-help')}>
        {(control) => (
          <Select
            {...control}
            value={step.submodules ?? 'direct'}
            options={CheckoutStep.shape.submodules.unwrap().options.map((value) => ({
              value,
              label: t(`pipelines-ui-submodules-${value}`),
            }))}
            onChange={(submodules) => onChange({ ...step, submodules })}
          />
        )}
      </StepField>
    </>
  )
}

function ScriptFields({ step, onChange }: FieldsProps<Of<'script'>>) {
  const readOnly = useReadOnly()
  return (
    <>
      <StepField name="run" label={t('pipelines-ui-script')} help={t('pipelines-ui-script-help')} wide named>
        {() => (
          <Suspense fallback={<Skeleton rows={6} />}>
            <ScriptEditor
              label={t('pipelines-ui-script')}
              value={step.run}
              readOnly={readOnly}
              onChange={(run) => onChange({ ...step, run })}
            />
          </Suspense>
        )}
      </StepField>
      <StepField name="shell" label={t('pipelines-ui-shell')}>
        {(control) => (
          <Select
            {...control}
            value={step.shell ?? 'sh'}
            options={['sh', 'bash'].map((value) => ({ value, label: value }))}
            onChange={(shell: 'sh' | 'bash') => onChange({ ...step, shell })}
          />
        )}
      </StepField>
      <TimeoutField
        value={step.timeoutMinutes}
        max={10_080}
        onChange={(timeoutMinutes) => onChange(patched(step, { timeoutMinutes }))}
      />
      <EnvironmentField
        rows={step.environment ?? []}
        help={t('pipelines-ui-environment-help')}
        onChange={(environment) => onChange({ ...step, environment })}
      />
    </>
  )
}

function ReportFields({ step, onChange }: FieldsProps<Of<'report'>>) {
  return (
    <>
      <FilesField step={step} onChange={onChange} help={t('pipelines-ui-files-report')} />
      <SwitchField
        name="failOnFailure"
        label={t('pipelines-ui-fail-on')}
        help={t('pipelines-ui-fail-on-help')}
        value={step.failOnFailure ?? true}
        onChange={(failOnFailure) => onChange({ ...step, failOnFailure })}
      />
    </>
  )
}
