import { useEffect } from 'react'
import { t } from '../../api/language.ts'
import { useSigned } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The root: the default team's dashboard. Only somebody without a team stays here. */
export function HomePage() {
  const go = useGo()
  const teamId = useSigned()?.teamId
  useEffect(() => {
    if (teamId !== undefined) go(to('new-dashboard', { team_id: teamId }), { replace: true })
  }, [teamId, go])
  return teamId === undefined ? (
    <EmptyState title={t('dashboard-no-team')} memo={t('dashboard-no-team-memo')} />
  ) : (
    <Skeleton rows={4} columns={3} />
  )
}
