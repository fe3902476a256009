import { z } from 'zod'

/** Members of the group become members of the team with the role; 0: as leaders; null: without a role. */
export const GroupMapping = z.strictObject({
  /** LDAP: the group's DN. OAuth: a value of the groups claim. */
  group: z.string().trim().min(1, 'group-required').max(1000, 'text-too-long'),
  teamId: z.number().int().min(1),
  roleId: z.number().int().min(0).nullable(),
})
export type GroupMapping = z.infer<typeof GroupMapping>
