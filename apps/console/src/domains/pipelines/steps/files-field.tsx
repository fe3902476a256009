import { t } from '../../../api/language.ts'
import { example } from '../../../ui/form/example.ts'
import { CodeField } from './step-field.tsx'
import type { FieldsProps, Of } from './step-parts.tsx'

/** The files of the workspace that a step reads. */
export function FilesField<S extends Of<'report' | 'artifact' | 'coverage' | 'scan'>>({
  step,
  onChange,
  help,
  sample = 'reports/**/*.xml',
}: FieldsProps<S> & { help: string; sample?: string }) {
  return (
    <CodeField
      name="files"
      label={t('pipelines-ui-files')}
      help={help}
      placeholder={example(sample)}
      value={step.files}
      onChange={(files) => onChange({ ...step, files })}
    />
  )
}
