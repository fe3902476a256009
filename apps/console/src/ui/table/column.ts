import type { ReactNode } from 'react'

export interface Column<R> {
  key: string
  title: string
  cell: (row: R) => ReactNode
  /** The server sorts by this name: the column's key, unless another is given. */
  sort?: boolean | string
  align?: 'right'
  width?: number
  /** Its values are short, and read as one. */
  nowrap?: boolean
  /** Omitted on windows narrower than a laptop's. */
  wideOnly?: boolean
}
