import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import './file-drop.css'

interface FileInputProps {
  /** What may be chosen, as an input's `accept` says it; a drop may bring anything. */
  accept: string
  disabled?: boolean
  onFile: (file: File) => void
}

/** The input of a label that is drawn as a button or a place; the same file can be chosen again. */
export const FileInput = ({ accept, disabled = false, onFile }: FileInputProps) => (
  <input
    type="file"
    className="g-file"
    accept={accept}
    disabled={disabled}
    onChange={(event) => {
      const file = event.target.files?.[0]
      event.target.value = ''
      if (file) onFile(file)
    }}
  />
)

interface FileDropProps extends FileInputProps {
  label: ReactNode
  /** What is taken. */
  memo?: ReactNode
}

/** A place to drop a file on: the browser's own input, drawn over the whole of it. A click or a key opens its dialog. */
export const FileDrop = ({ label, memo, ...input }: FileDropProps) => (
  <label className="g-drop">
    <FileInput {...input} />
    <Icon name="upload" size={20} />
    <strong>{label}</strong>
    {memo !== undefined && <span>{memo}</span>}
  </label>
)
