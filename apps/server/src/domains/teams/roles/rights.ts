import { duplicates } from '@gantry/contract/validators'
import { userTopic } from '@gantry/contract/users/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { permissionKeys } from '../../auth/public.ts'

/** Makes the consoles of these users reload their teams and permissions. */
export async function publishRights(ctx: Ctx, userIds: readonly number[]): Promise<void> {
  for (const userId of userIds) await publish(ctx, userTopic, { userId })
}

/** Throws 400 for duplicates, unknown permissions, and, unless `system`, those that a team's role may not contain. */
export async function refuseUnknown(names: string[], { system = false } = {}): Promise<void> {
  const doubled = duplicates(names)
  if (doubled.length > 0) throw new Fault('invalid', 'role-double-permissions', { permissions: doubled.join(', ') })
  const known = await permissionKeys({ system })
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Fault('invalid', 'role-unknown-permissions', { keys: unknown.join(', ') })
}
