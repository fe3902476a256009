import { useEffect, useRef } from 'react'
import { openEditor } from '../../../ui/editor/code-mirror.ts'
import { shell } from './shell-language.ts'
import styles from './steps.module.css'

interface ScriptEditorProps {
  label: string
  /** Read once: the editor holds the text from then on. */
  value: string
  onChange: (text: string) => void
  readOnly: boolean
}

/** A shell script, with its colours, in the kit's editor. */
export function ScriptEditor({ label, value, onChange, readOnly }: ScriptEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef({ value, onChange })
  useEffect(() => {
    latest.current = { value, onChange }
  })
  useEffect(() => {
    if (!place.current) return undefined
    const editor = openEditor(place.current, {
      text: latest.current.value,
      label,
      readOnly,
      language: shell,
      problems: () => [],
      onChange: (text) => latest.current.onChange(text),
    })
    return editor.close
  }, [label, readOnly])
  return <div ref={place} className={styles.script} />
}
