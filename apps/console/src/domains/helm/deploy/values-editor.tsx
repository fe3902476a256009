import { yaml } from '@codemirror/lang-yaml'
import { t } from '../../../api/language.ts'
import { CodeField } from '../../../ui/editor/code-field.tsx'
import { problemsOf } from '../../../ui/editor/yaml-editor.tsx'

const language = yaml()

interface ValuesEditorProps {
  yours: string
  onChange: (text: string) => void
}

/** The user's values as YAML; in a separate file, which loads with the editor. */
export const ValuesEditor = ({ yours, onChange }: ValuesEditorProps) => (
  <CodeField
    label={t('helm-ui-yours')}
    value={yours}
    readOnly={false}
    language={language}
    problems={(text) => (text.trim() === '' ? [] : problemsOf(text))}
    onChange={onChange}
  />
)
