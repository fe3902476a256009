import type { Column } from './column.ts'

/** A column with the number in the row's field of that name. */
export const numberColumn = <K extends string>(
  key: K,
  title: string,
  look: Pick<Column<unknown>, 'sort' | 'width' | 'min' | 'wideOnly'> = {},
): Column<Record<K, number>> => ({ key, title, align: 'right', cell: (row) => row[key], ...look })
