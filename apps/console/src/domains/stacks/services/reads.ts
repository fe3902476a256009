import { environments } from '@gantry/contract/clusters/environments'
import { useRead } from '../../../api/hooks.ts'
import { useMay } from '../../../api/session.ts'

/** Clusters that the team may use, for who may see them. */
export function useClusters(teamId: number) {
  const may = useMay(environments.ofTeam)
  return useRead(environments.ofTeam, { params: { teamId } }, { enabled: may, staleMs: 30_000 })
}

/** While something is under way and the push channel may be down. */
const unsettledMs = 5000

/** Reads at least every 5 s until what is read has settled. */
export const until =
  <T>(isSettled: (data: T) => boolean) =>
  (data: T | undefined): number | false =>
    data !== undefined && isSettled(data) ? false : unsettledMs
