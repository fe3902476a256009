import type { ReactNode } from 'react'

export interface Column<R> {
  key: string
  title: string
  cell: (row: R) => ReactNode
  /** The server sorts by this name: the column's key, unless another is given. */
  sort?: boolean | string
  align?: 'right'
  width?: number
  /** Its minimum width; longer content ends in an ellipsis. */
  min?: number
  /** An identifier, in the monospace font. */
  mono?: boolean
  /** Hidden on windows narrower than a laptop's, unless the user chose it. */
  wideOnly?: boolean
  /** Hidden until the user chooses it. */
  extra?: boolean
}

/** The minimum widths at which a name, or another content, is readable. */
const leastName = 168
const least = 72

export const leastWidth = <R>({ min, width }: Column<R>, at: number): number =>
  min ?? width ?? (at === 0 ? leastName : least)
