import { session as calls } from '@gantry/contract/auth/session'
import { call } from './call.ts'
import { reloadRights } from './session.ts'

/**
 * Shows the team as one of its roles sees it, in all tabs of this login; role 0 ends it. The server decides what is seen from
 * then on; the other tabs follow by the push channel.
 */
export async function viewAs(teamId: number, roleId: number): Promise<void> {
  await call(calls.viewAs, { params: { teamId }, body: { roleId } })
  await reloadRights()
}
