import { duplicates } from '@gantry/contract/validators'
import { userTopic } from '@gantry/contract/users/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { permissionKeys } from '../../auth/public.ts'

/** The consoles of these users load their teams and rights again. */
export async function publishRights(ctx: Ctx, userIds: readonly number[]): Promise<void> {
  for (const userId of userIds) await publish(ctx, userTopic, { userId })
}

/** Throws 400 for what is no permission of teams (or, with `system`, none at all), and for one that is named twice. */
export async function refuseUnknown(names: string[], { system = false } = {}): Promise<void> {
  const doubled = duplicates(names)
  if (doubled.length > 0) throw new Fault('invalid', 'role-double-permissions', { permissions: doubled.join(', ') })
  const known = await permissionKeys({ system })
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Fault('invalid', 'role-unknown-permissions', { keys: unknown.join(', ') })
}
