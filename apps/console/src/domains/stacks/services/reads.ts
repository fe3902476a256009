import { clusters } from '@gantry/contract/clusters/clusters'
import { useRead } from '../../../api/hooks.ts'
import { useMay } from '../../../api/session.ts'

/** Clusters that the team may use, if the user may see them. */
export function useClusters(teamId: number) {
  const may = useMay(clusters.ofTeam)
  return useRead(clusters.ofTeam, { params: { teamId } }, { enabled: may, staleMs: 30_000 })
}

/** The polling interval during changes, in case the push channel is down. */
const unsettledMs = 5000

/** Polls every 5 s until the data has settled. */
export const until =
  <T>(isSettled: (data: T) => boolean) =>
  (data: T | undefined): number | false =>
    data !== undefined && isSettled(data) ? false : unsettledMs
