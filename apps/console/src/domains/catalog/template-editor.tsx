import { yaml } from '@codemirror/lang-yaml'
import { useRef, useState } from 'react'
import { t } from '../../api/language.ts'
import { CodeField } from '../../ui/editor/code-field.tsx'
import type { OpenEditor } from '../../ui/editor/code-mirror.ts'
import { type Problem, problemsOf } from '../../ui/editor/yaml-editor.tsx'
import { templateProblems } from '../blueprints/public.tsx'
import styles from './catalog.module.css'

const language = yaml()

/** Further problems are listed once some of these are fixed. */
const maxListed = 20

const findingsIn = (text: string): Problem[] =>
  text.trim() === '' ? [] : [...problemsOf(text), ...templateProblems(text)]

interface TemplateEditorProps {
  value: string
  onChange: (text: string) => void
}

export function TemplateEditor({ value, onChange }: TemplateEditorProps) {
  const [findings, setFindings] = useState(() => findingsIn(value))
  const editor = useRef<OpenEditor>(undefined)
  return (
    <>
      <CodeField
        label={t('catalog-ui-template')}
        value={value}
        readOnly={false}
        language={language}
        problems={(text) => {
          const found = findingsIn(text)
          setFindings(found)
          return found
        }}
        opened={(opened) => (editor.current = opened)}
        onChange={onChange}
      />
      <ul className={styles.findings} aria-live="polite">
        {findings.slice(0, maxListed).map(({ line, column, text }) => (
          <li key={`${line}:${column}:${text}`}>
            <button type="button" onClick={() => editor.current?.goTo(line, column)}>
              {t('ui-yaml-problem', { line, column, problem: text })}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
