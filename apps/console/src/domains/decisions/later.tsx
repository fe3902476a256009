import { withWords } from '../../api/language.ts'
import { later } from '../../ui/feedback/later.ts'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'

/** The bars load the list with its words, and what decides, once it is looked at. */
export const DecisionListLater = later(
  async () => (await withWords('decisions', () => import('./decision-list.tsx'))).DecisionList,
  <Skeleton rows={3} />,
)
