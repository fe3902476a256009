import { useState } from 'react'
import { local } from '../../api/storage.ts'
import { useSigned } from '../../api/session.ts'
import type { Column } from './column.ts'

/** Columns by their key that a user has put in or out; the others are as the screen has them. */
type Choice = Record<string, boolean>

export interface ChosenColumns<R> {
  shown: readonly Column<R>[]
  /** Those that can be put in and out: all but the first, which names the row. */
  optional: readonly Column<R>[]
  isShown: (column: Column<R>) => boolean
  choose: (column: Column<R>, shown: boolean) => void
  /** Absent where they are as the screen has them. */
  reset?: () => void
}

/** The columns of a list, as this user has chosen them in this browser. Lists without a name have all. */
export function useChosenColumns<R>(list: string | undefined, columns: readonly Column<R>[]): ChosenColumns<R> {
  const userId = useSigned()?.user.id ?? 0
  const key = `columns-${list}-${userId}`
  const [choice, setChoice] = useState<Choice>(() => (list === undefined ? {} : (local.get<Choice>(key) ?? {})))
  const isShown = (column: Column<R>) => choice[column.key] ?? column.extra !== true
  const keep = (next: Choice) => {
    setChoice(next)
    if (Object.keys(next).length === 0) local.remove(key)
    else local.set(key, next)
  }
  return {
    shown: columns
      .filter((column, at) => at === 0 || isShown(column))
      // what somebody chose stays on a narrow window too
      .map((column) => (choice[column.key] === true ? { ...column, wideOnly: false } : column)),
    optional: columns.slice(1),
    isShown,
    choose: (column, shown) => keep({ ...choice, [column.key]: shown }),
    ...(Object.keys(choice).length > 0 && { reset: () => keep({}) }),
  }
}
