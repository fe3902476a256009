import { InputNumber } from 'antd'
import { lazy, Suspense } from 'react'
import { qualityMeasures } from '@gantry/contract/pipelines/steps/code-quality'
import { t } from '../../../api/language.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { CodeField, StepField, useReadOnly } from './step-field.tsx'
import { patched, TimeoutField, type FieldsProps, type Of } from './step-parts.tsx'
import styles from './steps.module.css'

const ScriptEditor = lazy(async () => ({ default: (await import('./script-editor.tsx')).ScriptEditor }))

export function CodeQualityFields({ step, onChange }: FieldsProps<Of<'code-quality'>>) {
  const readOnly = useReadOnly()
  return (
    <>
      <StepField name="gate" label={t('code-quality-ui-gate')} help={t('code-quality-ui-gate-help')} wide named>
        {({ disabled }) => (
          <div className={styles.limits} role="group" aria-label={t('code-quality-ui-gate')}>
            {qualityMeasures.map((measure) => {
              const percent = measure === 'coverage' || measure === 'duplication'
              return (
                <label key={measure}>
                  <span className="g-small">{t(`code-quality-ui-limit-${measure}`)}</span>
                  <InputNumber
                    disabled={disabled}
                    value={step.gate[measure] ?? null}
                    {...(percent ? { suffix: '%' } : { precision: 0 })}
                    onChange={(limit) =>
                      onChange({ ...step, gate: patched(step.gate, { [measure]: limit ?? undefined }) })
                    }
                  />
                </label>
              )
            })}
          </div>
        )}
      </StepField>
      <StepField name="run" label={t('code-quality-ui-run')} help={t('code-quality-ui-run-help')} wide named optional>
        {() => (
          <Suspense fallback={<Skeleton rows={3} />}>
            <ScriptEditor
              label={t('code-quality-ui-run')}
              value={step.run ?? ''}
              readOnly={readOnly}
              onChange={(run) => onChange(patched(step, { run: run || undefined }))}
            />
          </Suspense>
        )}
      </StepField>
      {(step.run ?? '') === '' && (
        <CodeField
          name="folder"
          label={t('code-quality-ui-folder')}
          help={t('code-quality-ui-folder-help')}
          value={step.folder ?? '.'}
          onChange={(folder) => onChange({ ...step, folder })}
        />
      )}
      <TimeoutField
        value={step.timeoutMinutes}
        max={1440}
        onChange={(timeoutMinutes) => onChange(patched(step, { timeoutMinutes }))}
      />
    </>
  )
}
