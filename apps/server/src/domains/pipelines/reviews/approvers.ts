import { z } from 'zod'
import type { Named } from './deciders.ts'

const Names = z.array(z.object({ name: z.string(), id: z.number().int() }))

/** Whom the names in a definition's approvals stand for. */
export const Approvers = z.object({ users: Names, roles: Names })
export type Approvers = z.infer<typeof Approvers>

export const noApprovers: Approvers = { users: [], roles: [] }

/** Those whom one approval names; null where it names nobody. A name that stands for nobody is still one. */
export const namedBy = (
  approval: { users: readonly string[]; roles: readonly string[] },
  approvers: Approvers | null,
): Named | null => {
  const idsOf = (kind: 'users' | 'roles') =>
    (approvers?.[kind] ?? []).filter(({ name }) => approval[kind].includes(name)).map(({ id }) => id)
  return approval.users.length + approval.roles.length === 0 ? null : { users: idsOf('users'), roles: idsOf('roles') }
}
