import { session as calls } from '@gantry/contract/auth/session'
import { call } from './call.ts'
import { reloadRights } from './session.ts'

/**
 * Views the team as one of its roles, in all tabs of this login; role 0 ends it. From then on the server decides what
 * is visible; the push channel notifies the other tabs.
 */
export async function viewAs(teamId: number, roleId: number): Promise<void> {
  await call(calls.viewAs, { params: { teamId }, body: { roleId } })
  await reloadRights()
}
