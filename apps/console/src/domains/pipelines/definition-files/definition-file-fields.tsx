import { Input } from 'antd'
import { t } from '../../../api/language.ts'
import { ChoiceCards } from '../../../ui/form/choice-cards.tsx'
import { Field } from '../../../ui/form/form.tsx'
import type { Source } from '../definition/repository-fields.tsx'

export type DefinitionPlace = 'console' | 'file'

interface DefinitionFileFieldsProps {
  place: DefinitionPlace
  source: Source
  onChange: (place: DefinitionPlace) => void
}

/** Where the definition is stored, and the file if in the repository. Fields of a Form under `definitionFile`. */
export function DefinitionFileFields({ place, source, onChange }: DefinitionFileFieldsProps) {
  return (
    <>
      <ChoiceCards
        label={t('pipelines-ui-definition-place')}
        choices={[
          {
            value: 'console',
            title: t('pipelines-ui-definition-console'),
            memo: t('pipelines-ui-definition-console-help'),
          },
          {
            value: 'file',
            title: t('pipelines-ui-definition-in-file'),
            memo: t('pipelines-ui-definition-in-file-help'),
          },
        ]}
        value={place}
        onChange={onChange}
      />
      {place === 'file' && source === 'none' && (
        <p className="g-note g-note-warn" role="alert">
          {t('pipelines-ui-definition-needs-repository')}
        </p>
      )}
      {place === 'file' && (
        <div className="g-columns">
          <Field
            name={['definitionFile', 'path']}
            label={t('pipelines-ui-definition-path')}
            help={t('pipelines-ui-definition-path-help')}
          >
            <Input spellCheck={false} maxLength={255} />
          </Field>
          <Field
            name={['definitionFile', 'branch']}
            label={t('pipelines-ui-definition-branch')}
            help={t('pipelines-ui-definition-branch-help')}
          >
            <Input spellCheck={false} maxLength={255} />
          </Field>
        </div>
      )}
    </>
  )
}
