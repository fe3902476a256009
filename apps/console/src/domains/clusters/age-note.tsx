import type { Age } from '@gantry/contract/clusters/pods'
import { t } from '../../api/language.ts'
import { exactTime, relativeTime } from '../../ui/format.ts'

/** Says that what is shown is of the past, since when and why; or that it is still on its way. */
export function AgeNote({ age }: { age: Age | undefined }) {
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
      <b>{t('pods-ui-stale', { time: relativeTime(staleSince) })}</b> {message}
    </p>
  )
}
