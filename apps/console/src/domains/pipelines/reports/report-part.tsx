import type { ReactNode } from 'react'
import type { Reading } from '../../../ui/detail.tsx'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import styles from './reports.module.css'

interface PartProps<T> {
  title: string
  /** How its figures are computed. */
  formula: string
  query: Reading<T>
  /** Placed beside the title. */
  actions?: ReactNode
  wide?: boolean
  children: (data: T) => ReactNode
}

/** A chart or table of a report, with its formula below. */
export function ReportPart<T>({ title, formula, query, actions, wide, children }: PartProps<T>) {
  return (
    <section className={wide ? `${styles.part} ${styles.wide}` : styles.part}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {actions}
      </header>
      {query.data !== undefined ? (
        children(query.data)
      ) : query.error ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Skeleton rows={5} columns={1} />
      )}
      <p className={styles.formula}>{formula}</p>
    </section>
  )
}
