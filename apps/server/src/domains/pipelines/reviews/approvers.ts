import { z } from 'zod'
import type { Named } from './deciders.ts'

const Names = z.array(z.object({ name: z.string(), id: z.number().int() }))

/** The accounts and roles that the names in a definition's approvals refer to. */
export const Approvers = z.object({ users: Names, roles: Names })
export type Approvers = z.infer<typeof Approvers>

export const noApprovers: Approvers = { users: [], roles: [] }

/** Accounts and roles that one approval names; null if it has no names. A name that refers to nobody is still one. */
export const namedBy = (
  approval: { users: readonly string[]; roles: readonly string[] },
  approvers: Approvers | null,
): Named | null => {
  const idsOf = (kind: 'users' | 'roles') =>
    (approvers?.[kind] ?? []).filter(({ name }) => approval[kind].includes(name)).map(({ id }) => id)
  return approval.users.length + approval.roles.length === 0 ? null : { users: idsOf('users'), roles: idsOf('roles') }
}
