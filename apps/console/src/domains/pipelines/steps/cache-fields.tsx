import { Input } from 'antd'
import { t } from '../../../api/language.ts'
import { example } from '../../../ui/form/example.ts'
import { TextsField } from '../editor/texts-field.tsx'
import { StepField } from './step-field.tsx'
import { patched, type FieldsProps, type Of } from './step-parts.tsx'

const placeholders = { hash: '${hash:package-lock.json}', output: '${outputs.step.KEY}', variable: '${variables.NAME}' }

/** The files to cache for later builds, and their key. */
export function CacheFields({ step, onChange }: FieldsProps<Of<'cache'>>) {
  return (
    <>
      <StepField name="key" label={t('pipelines-ui-cache-key')} help={t('pipelines-ui-cache-key-help', placeholders)}>
        {(control) => (
          <Input
            {...control}
            className="g-mono"
            spellCheck={false}
            maxLength={200}
            placeholder={example('npm-${hash:package-lock.json}')}
            value={step.key}
            onChange={(event) => onChange({ ...step, key: event.target.value })}
          />
        )}
      </StepField>
      <TextsField
        name="paths"
        label={t('pipelines-ui-cache-paths')}
        help={t('pipelines-ui-cache-paths-help')}
        placeholder={example('.npm')}
        texts={step.paths}
        onChange={(paths) => onChange({ ...step, paths })}
      />
      <TextsField
        name="fallbacks"
        label={t('pipelines-ui-cache-fallbacks')}
        help={t('pipelines-ui-cache-fallbacks-help')}
        placeholder={example('npm-')}
        optional
        texts={step.fallbacks ?? []}
        onChange={(fallbacks) => onChange(patched(step, { fallbacks: fallbacks.length > 0 ? fallbacks : undefined }))}
      />
    </>
  )
}
