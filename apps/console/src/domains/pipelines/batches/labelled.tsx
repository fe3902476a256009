import { useId, type ReactNode } from 'react'
import styles from './batches.module.css'

interface LabelledProps {
  label: string
  help?: string
  wide?: boolean
  children: (id: string) => ReactNode
}

/** A control under its label, outside of a Form. */
export function Labelled({ label, help, wide = false, children }: LabelledProps) {
  const id = useId()
  return (
    <div className={wide ? `${styles.field} ${styles.fieldWide}` : styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {help !== undefined && <span className="g-faint g-small">{help}</span>}
    </div>
  )
}
