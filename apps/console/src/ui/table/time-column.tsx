import type { Moment } from '../format.ts'
import { Time } from '../time.tsx'
import type { Column } from './column.ts'

/** A column with the time in the row's field of that name. */
export const timeColumn = <K extends string>(
  key: K,
  title: string,
  look: Pick<Column<unknown>, 'sort' | 'width' | 'wideOnly'> = {},
): Column<Record<K, Moment | null | undefined>> => ({ key, title, cell: (row) => <Time at={row[key]} />, ...look })
