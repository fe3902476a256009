import { useRef, useState } from 'react'
import { lintDockerfile } from '@gantry/contract/dockerfiles/lint'
import { t } from '../../api/language.ts'
import { CodeField } from '../../ui/editor/code-field.tsx'
import type { Marked, OpenEditor } from '../../ui/editor/code-mirror.ts'
import { dockerfileLanguage } from './dockerfile-language.ts'
import styles from './dockerfiles.module.css'

interface DockerfileFieldProps {
  value?: string
  onChange?: (text: string) => void
  readOnly: boolean
}

const marks: Record<NonNullable<Marked['severity']>, string> = { error: 'g-bad', warning: 'g-warn', info: 'g-quiet' }

/** Further findings are listed once some of these are fixed. */
const maxListed = 20

const findingsIn = (text: string): Required<Marked>[] =>
  lintDockerfile(text).map(({ line, severity, rule, vars }) => ({
    line,
    column: 1,
    severity,
    text: t(`dockerfiles-lint-${rule}`, vars),
  }))

/** A Dockerfile with its findings, by line. A field of a Form. */
export function DockerfileField({ value = '', onChange, readOnly }: DockerfileFieldProps) {
  const [findings, setFindings] = useState(() => (value === '' ? [] : findingsIn(value)))
  const editor = useRef<OpenEditor>(undefined)
  return (
    <div className={styles.field}>
      <CodeField
        label={t('dockerfiles-ui-content')}
        value={value}
        readOnly={readOnly}
        language={dockerfileLanguage}
        problems={(text) => {
          const found = text.trim() === '' ? [] : findingsIn(text)
          setFindings(found)
          return found
        }}
        opened={(opened) => (editor.current = opened)}
        onChange={(text) => onChange?.(text)}
      />
      <ul className={styles.findings} aria-live="polite" aria-label={t('dockerfiles-ui-findings')}>
        {findings.length === 0 && value.trim() !== '' && <li className="g-faint">{t('dockerfiles-ui-fine')}</li>}
        {findings.slice(0, maxListed).map(({ line, severity, text }) => (
          <li key={`${line} ${text}`}>
            <button type="button" onClick={() => editor.current?.goTo(line, 1)}>
              <strong className={marks[severity]}>{t(`dockerfiles-ui-severity-${severity}`)}</strong>{' '}
              {t('dockerfiles-ui-finding', { line, text })}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
