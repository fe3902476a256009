import { useState } from 'react'
import { local } from '../../api/storage.ts'
import { useSigned } from '../../api/session.ts'
import type { Column } from './column.ts'

/** Columns that a user has shown or hidden, by their keys; others have the screen's default. */
type Choice = Record<string, boolean>

export interface ChosenColumns<R> {
  visible: readonly Column<R>[]
  /** Columns that can be hidden: all except the first, which names the row. */
  optional: readonly Column<R>[]
  isShown: (column: Column<R>) => boolean
  choose: (column: Column<R>, visible: boolean) => void
  /** Absent if all columns have their defaults. */
  reset?: () => void
}

/** The columns of a list, as this user has chosen them in this browser. Lists without a name have all columns. */
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
    visible: columns
      .filter((column, at) => at === 0 || isShown(column))
      // explicitly shown columns stay on a narrow window too
      .map((column) => (choice[column.key] === true ? { ...column, wideOnly: false } : column)),
    optional: columns.slice(1),
    isShown,
    choose: (column, visible) => keep({ ...choice, [column.key]: visible }),
    ...(Object.keys(choice).length > 0 && { reset: () => keep({}) }),
  }
}
