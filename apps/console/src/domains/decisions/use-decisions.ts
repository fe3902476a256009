import { decisions } from '@gantry/contract/decisions/decisions'
import { useRead } from '../../api/hooks.ts'
import { useSigned, useUser } from '../../api/session.ts'

/** The user's pending decisions in all of the user's teams, the newest first. */
export function useDecisions(pageSize = 20) {
  const user = useUser()
  const teamId = useSigned()?.teamId
  const scopes = [
    ...user.teams.map(({ id }) => id),
    ...(teamId === undefined ? [] : [teamId]),
    ...(user.admin ? ['all'] : []),
  ]
  return useRead(decisions.list, { query: { pageSize } }, { of: scopes.map((scope) => ({ scope })) })
}
