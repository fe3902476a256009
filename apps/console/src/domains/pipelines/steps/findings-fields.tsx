import { severities } from '@gantry/contract/pipelines/steps/reports'
import { InputNumber } from 'antd'
import { t } from '../../../api/language.ts'
import { FilesField } from './files-field.tsx'
import { NumberField, StepField } from './step-field.tsx'
import { patched, type FieldsProps, type Of } from './step-parts.tsx'
import styles from './steps.module.css'

/** The coverage reports to read, and the required coverage. */
export function CoverageFields({ step, onChange }: FieldsProps<Of<'coverage'>>) {
  return (
    <>
      <FilesField step={step} onChange={onChange} help={t('pipelines-ui-files-coverage')} sample="coverage/lcov.info" />
      <NumberField
        name="minimum"
        label={t('pipelines-ui-coverage-minimum')}
        help={t('pipelines-ui-coverage-minimum-help')}
        optional
        suffix="%"
        value={step.minimum}
        onChange={(minimum) => onChange(patched(step, { minimum }))}
      />
      <NumberField
        name="maximumDrop"
        label={t('pipelines-ui-coverage-drop')}
        help={t('pipelines-ui-coverage-drop-help')}
        optional
        suffix="%"
        value={step.maximumDrop}
        onChange={(maximumDrop) => onChange(patched(step, { maximumDrop }))}
      />
    </>
  )
}

/** The scanner reports to read, and the allowed findings of each severity. */
export function ScanFields({ step, onChange }: FieldsProps<Of<'scan'>>) {
  const limits = step.limits ?? {}
  return (
    <>
      <FilesField step={step} onChange={onChange} help={t('pipelines-ui-files-scan')} sample="results.sarif" />
      <StepField
        name="limits"
        label={t('pipelines-ui-scan-limits')}
        help={t('pipelines-ui-scan-limits-help')}
        wide
        optional
        named
      >
        {({ disabled }) => (
          <div className={styles.limits} role="group" aria-label={t('pipelines-ui-scan-limits')}>
            {severities.map((severity) => (
              <label key={severity}>
                <span className="g-small">{t(`pipelines-ui-severity-${severity}`)}</span>
                <InputNumber
                  disabled={disabled}
                  precision={0}
                  value={limits[severity] ?? null}
                  onChange={(limit) =>
                    onChange({ ...step, limits: patched(limits, { [severity]: limit ?? undefined }) })
                  }
                />
              </label>
            ))}
          </div>
        )}
      </StepField>
    </>
  )
}
