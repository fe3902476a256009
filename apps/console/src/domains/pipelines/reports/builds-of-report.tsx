import type { ReactNode } from 'react'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { zonedTime } from '../../../ui/format.ts'
import type { ListState } from '../../../ui/table/list-state.ts'
import { useUrlState } from '../../../ui/table/url-state.ts'

const none = { startTime: '', endTime: '', deployment: '' }

const momentOf = (text: string): number => (/^\d{1,13}$/.test(text) ? Number(text) : 0)

interface BuildsOfReport {
  list: ListState
  /** Describes the filter, with a link back to all builds. */
  note: ReactNode
}

/** Filters the list of builds by the report's figure in the address. The filter is not kept. */
export function useBuildsOfReport(list: ListState): BuildsOfReport {
  const [{ startTime, endTime, deployment }, change] = useUrlState(none)
  const [from, until] = [momentOf(startTime), momentOf(endTime)]
  if (from === 0 || until === 0) return { list, note: undefined }
  const deployed = deployment === 'success' || deployment === 'failed' ? deployment : undefined
  const all = () => change(none)
  const filters = { startTime: from, endTime: until, ...(deployed && { deployment: deployed }) }
  return {
    list: { ...list, narrowed: true, query: { ...list.query, ...filters }, clear: all },
    note: (
      <span className="g-row">
        <span>
          {t('pipelines-ui-ended-between', { from: zonedTime(from), until: zonedTime(until) })}
          {deployed && ` · ${t(`pipelines-ui-deployed-${deployed}`)}`}
        </span>
        <Button small onClick={all}>
          {t('pipelines-ui-ended-all')}
        </Button>
      </span>
    ),
  }
}
