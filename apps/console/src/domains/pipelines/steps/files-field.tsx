import { Input } from 'antd'
import { t } from '../../../api/language.ts'
import { example } from '../../../ui/form/example.ts'
import { StepField } from './step-field.tsx'
import type { FieldsProps, Of } from './step-parts.tsx'

/** The files of the workspace that a step reads. */
export function FilesField<S extends Of<'report' | 'artifact' | 'coverage' | 'scan'>>({
  step,
  onChange,
  help,
  sample = 'reports/**/*.xml',
}: FieldsProps<S> & { help: string; sample?: string }) {
  return (
    <StepField name="files" label={t('pipelines-ui-files')} help={help}>
      {(control) => (
        <Input
          {...control}
          className="g-mono"
          spellCheck={false}
          placeholder={example(sample)}
          value={step.files}
          onChange={(event) => onChange({ ...step, files: event.target.value })}
        />
      )}
    </StepField>
  )
}
