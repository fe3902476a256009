import { environments } from '@gantry/contract/clusters/environments'
import { useRead } from '../../../api/hooks.ts'
import { useMay } from '../../../api/session.ts'

/** Clusters that the team may use, for who may see them. */
export function useClusters(teamId: number) {
  const may = useMay(environments.ofTeam)
  return useRead(environments.ofTeam, { params: { teamId } }, { enabled: may, staleMs: 30_000 })
}
