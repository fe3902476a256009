import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import './file-drop.css'

interface FileInputProps {
  /** The accepted types, as in an input's `accept`; a drop may contain anything. */
  accept: string
  disabled?: boolean
  onFile: (file: File) => void
}

/** The input of a label that is styled as a button or a drop zone; the same file can be chosen again. */
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
  /** A description of the accepted files. */
  memo?: ReactNode
}

/** A drop zone: the browser's own input, covering all of it. A click or a key opens its dialog. */
export const FileDrop = ({ label, memo, ...input }: FileDropProps) => (
  <label className="g-drop">
    <FileInput {...input} />
    <Icon name="upload" size={20} />
    <strong>{label}</strong>
    {memo !== undefined && <span>{memo}</span>}
  </label>
)
