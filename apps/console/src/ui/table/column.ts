import type { ReactNode } from 'react'

export interface Column<R> {
  key: string
  title: string
  cell: (row: R) => ReactNode
  /** The server sorts by this name: the column's key, unless another is given. */
  sort?: boolean | string
  align?: 'right'
  width?: number
  /** Narrower it never becomes: its content ends in an ellipsis there. */
  min?: number
  /** An identifier: drawn in the monospace face, character by character. */
  mono?: boolean
  /** Omitted on windows narrower than a laptop's, unless somebody chose it. */
  wideOnly?: boolean
  /** Omitted until somebody chooses it. */
  extra?: boolean
}

/** Widths below which a name, or anything else, says nothing. */
const leastName = 168
const least = 72

export const leastWidth = <R>({ min, width }: Column<R>, at: number): number =>
  min ?? width ?? (at === 0 ? leastName : least)
