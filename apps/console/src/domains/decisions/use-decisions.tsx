import { decisions } from '@gantry/contract/decisions/decisions'
import { useRead } from '../../api/hooks.ts'
import { useReadAgain } from '../../api/read-again.ts'
import { useSigned, useUser } from '../../api/session.ts'
import { usePush } from '../../api/use-push.ts'

/** What waits for the user's decision, the newest first. */
export const useDecisions = (pageSize = 20) => useRead(decisions.list, { query: { pageSize } })

/** Reads again when something comes or somebody else decides, in any team of the user. The bars draw it once. */
export function FollowDecisions() {
  const user = useUser()
  const teamId = useSigned()?.teamId
  const teams = new Set([...user.teams.map(({ id }) => id), ...(teamId === undefined ? [] : [teamId])])
  const scopes = [...teams, ...(user.admin ? ['all'] : [])]
  return scopes.map((scope) => <Follow key={scope} scope={scope} />)
}

const gatherMs = 500

function Follow({ scope }: { scope: number | string }) {
  const readAgain = useReadAgain([decisions.list.method, decisions.list.path], gatherMs)
  usePush(decisions.list.topics, { scope }, () => readAgain())
  return null
}
