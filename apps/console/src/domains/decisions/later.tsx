import { withWords } from '../../api/language.ts'
import { later } from '../../ui/feedback/later.ts'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'

/** Loaded lazily with its texts and actions, because it is part of the bars of every page. */
export const DecisionListLater = later(
  async () => (await withWords('decisions', () => import('./decision-list.tsx'))).DecisionList,
  <Skeleton rows={3} />,
)
