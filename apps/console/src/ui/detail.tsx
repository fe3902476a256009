import type { ReactNode } from 'react'
import { Failed } from './feedback/failed.tsx'
import { Skeleton } from './feedback/skeleton.tsx'

export interface Fact {
  label: string
  value: ReactNode
  /** Spans the whole line. */
  wide?: boolean
}

const isNothing = (value: ReactNode): boolean =>
  value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** Facts about one object: labels and values in columns. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="g-facts">
      {facts.map((fact) => (
        <div key={fact.label} className={fact.wide ? 'g-fact-wide' : undefined}>
          <dt>{fact.label}</dt>
          <dd>{isNothing(fact.value) ? <span className="g-faint">–</span> : fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The part of useRead's result that the view of one object needs. */
export interface Reading<T> {
  data: T | undefined
  error: unknown
  refetch: () => unknown
}

/** The states of one read: loading, failed, or its view. */
export function Loaded<T>({ query, children }: { query: Reading<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failed error={query.error} retry={() => void query.refetch()} />
  return <Skeleton rows={5} columns={2} />
}
