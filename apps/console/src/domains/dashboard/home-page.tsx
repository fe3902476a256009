import { useEffect } from 'react'
import { teams } from '@gantry/contract/teams/teams'
import { t } from '../../api/language.ts'
import { useRead } from '../../api/hooks.ts'
import { useSigned } from '../../api/session.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'

/**
 * The root: redirects to the default team's dashboard; for an administrator or the holder of a system role without a
 * team, to the first of all teams'. Only a user without either stays here.
 */
export function HomePage() {
  const go = useGo()
  const now = useSigned()
  const seesTeams = now !== undefined && (now.user.admin || now.user.systemRoles.length > 0)
  const visiting = seesTeams && now.teamId === undefined
  const seen = useRead(teams.brief, { query: { pageSize: 1 } }, { enabled: visiting })
  const teamId = now?.teamId ?? seen.data?.items[0]?.id
  useEffect(() => {
    if (teamId !== undefined) go(to('new-dashboard', { team_id: teamId }), { replace: true })
  }, [teamId, go])
  return teamId === undefined && !seen.isLoading ? (
    <EmptyState title={t('dashboard-no-team')} memo={t('dashboard-no-team-memo')} />
  ) : (
    <Skeleton rows={4} columns={3} />
  )
}
