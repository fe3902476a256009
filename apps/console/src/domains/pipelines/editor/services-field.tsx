import type { JobServiceInput } from '@gantry/contract/pipelines/steps/job-services'
import { Input, InputNumber } from 'antd'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { BuildImageSelect } from '../../build-images/public.tsx'
import { PairRows } from '../definition/pair-rows.tsx'
import { StepField, useReadOnly } from '../steps/step-field.tsx'
import { patched } from '../steps/step-parts.tsx'
import styles from './editor.module.css'

interface ServicesFieldProps {
  services: readonly JobServiceInput[]
  onChange: (services: JobServiceInput[]) => void
}

/** The services beside a job. */
export function ServicesField({ services, onChange }: ServicesFieldProps) {
  const readOnly = useReadOnly()
  const free = ['db', ...Array.from({ length: 10 }, (_, n) => `service-${n + 1}`)].find(
    (name) => !services.some((service) => service.name === name),
  )
  const set = (at: number, patch: { [K in keyof JobServiceInput]?: JobServiceInput[K] | undefined }) =>
    onChange(services.map((service, i) => (i === at ? patched(service, patch) : service)))
  return (
    <StepField
      name="services"
      label={t('pipelines-ui-job-services')}
      help={t('pipelines-ui-job-services-help')}
      wide
      optional
      named
    >
      {({ status }) => (
        <div className={styles.matrix} role="group" aria-label={t('pipelines-ui-job-services')}>
          {services.map((service, at) => (
            <div key={at} className={styles.service} role="group" aria-label={service.name}>
              <Input
                className="g-mono"
                aria-label={t('pipelines-ui-job-service-name', { number: at + 1 })}
                value={service.name}
                maxLength={63}
                disabled={readOnly}
                spellCheck={false}
                onChange={(event) => set(at, { name: event.target.value })}
              />
              <BuildImageSelect
                label={t('pipelines-ui-job-service-image', { name: service.name })}
                disabled={readOnly}
                {...(status && { status })}
                {...(service.image > 0 && { value: service.image })}
                onChange={(image) => set(at, { image: image ?? 0 })}
              />
              <InputNumber
                aria-label={t('pipelines-ui-job-service-port', { name: service.name })}
                placeholder={t('pipelines-ui-job-service-port-short')}
                min={1}
                max={65_535}
                precision={0}
                disabled={readOnly}
                value={service.port ?? null}
                onChange={(port) => set(at, { port: port ?? undefined })}
              />
              {!readOnly && (
                <Button
                  quiet
                  icon="delete"
                  label={t('pipelines-ui-remove', { name: service.name })}
                  onClick={() => onChange(services.filter((_, i) => i !== at))}
                />
              )}
              <div className={styles.below}>
                <PairRows
                  label={t('pipelines-ui-job-service-environment', { name: service.name })}
                  keys={['name', 'value']}
                  words={[t('pipelines-ui-name'), t('pipelines-ui-value')]}
                  add={t('pipelines-ui-variable-add')}
                  rows={service.environment ?? []}
                  onChange={(rows) => set(at, { environment: rows.length > 0 ? rows : undefined })}
                />
              </div>
            </div>
          ))}
          {!readOnly && services.length < 10 && free !== undefined && (
            <div className="g-row">
              <Button small icon="add" onClick={() => onChange([...services, { name: free, image: 0 }])}>
                {t('pipelines-ui-job-service-add')}
              </Button>
            </div>
          )}
        </div>
      )}
    </StepField>
  )
}
