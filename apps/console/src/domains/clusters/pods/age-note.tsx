import type { Age } from '@gantry/contract/clusters/pods'
import { t } from '../../../api/language.ts'
import type { EmptyProps } from '../../../ui/feedback/empty-state.tsx'
import { exactTime, relativeTime } from '../../../ui/format.ts'

interface AgeNoteProps {
  age: Age | undefined
  /** There are no rows that could be outdated. */
  nothing?: boolean
}

/** A note that the data is outdated, since when and why; or that it is still loading. */
export function AgeNote({ age, nothing = false }: AgeNoteProps) {
  if (!age || age.message === '') return null
  const { staleSince, message } = age
  if (staleSince === null)
    return (
      <p className="g-note" role="status">
        {message}
      </p>
    )
  return (
    <p className="g-note g-note-warn" role="status" title={exactTime(staleSince)}>
      <b>{nothing ? t('pods-ui-silent') : t('pods-ui-stale', { time: relativeTime(staleSince) })}</b> {message}
    </p>
  )
}

/** A cluster that has not been read is not reported as empty. */
export const emptyUnless = (untold: boolean, empty: EmptyProps): EmptyProps =>
  untold ? { title: t('pods-ui-unknown'), memo: t('pods-ui-unknown-memo') } : empty

export const isUntold = (age: Age | undefined): boolean => age !== undefined && age.message !== ''
