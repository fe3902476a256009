import type { Extension } from '@codemirror/state'
import { useEffect, useRef } from 'react'
import { openEditor, type OpenEditor, type Marked } from './code-mirror.ts'
import './code-field.css'

export interface CodeFieldProps {
  label: string
  /** Only the initial value: the editor holds the text from then on. */
  value: string
  onChange: (text: string) => void
  readOnly: boolean
  language: Extension
  /** Finds the problems to mark in the text, when typing pauses. */
  problems?: (text: string) => readonly Marked[]
  /** For a list of problems with links to their lines. */
  opened?: (editor: OpenEditor | undefined) => void
}

const none = (): readonly Marked[] => []

/** A multi-line text as a form field, in the kit's editor. */
export function CodeField({ label, readOnly, language, ...rest }: CodeFieldProps) {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(rest)
  useEffect(() => {
    latest.current = rest
  })
  useEffect(() => {
    if (!place.current) return undefined
    const editor = openEditor(place.current, {
      text: latest.current.value,
      label,
      readOnly,
      language,
      problems: (text) => (latest.current.problems ?? none)(text),
      onChange: (text) => latest.current.onChange(text),
    })
    latest.current.opened?.(editor)
    return () => {
      latest.current.opened?.(undefined)
      editor.close()
    }
  }, [label, readOnly, language])
  return <div ref={place} className="g-code-field" />
}
