import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { displayName } from '../validators.ts'
import { tokensTopic } from './topics.ts'

/** An API token of a team. It permits what both the token and, at the time of the call, its creator may do. */
export const ApiToken = z.object({
  id: z.number().int(),
  alias: z.string(),
  creator: z.string(),
  permissions: z.array(z.string()),
  createdAt: z.string(),
  /** Null: it never expires. */
  expiresAt: z.string().nullable(),
  expired: z.boolean(),
  /** To the minute; null: never used. */
  lastUsedAt: z.string().nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>

const inTeam = z.strictObject({ teamId: id })

/** Letters first, so that an alias is not read as a path or an option. */
const alias = displayName(30, 'alias-too-long').pipe(
  z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, 'alias-format'),
)

export const tokens = {
  list: endpoint({
    method: 'GET',
    path: '/api/token/tenants/:teamId',
    access: { team: 'teamId', permission: 'team_token_view' },
    summary: "A team's API tokens, without their secrets",
    params: inTeam,
    data: z.array(ApiToken),
    topics: [tokensTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/token/tenants/:teamId/alias/:alias',
    access: { team: 'teamId', permission: 'team_token_create' },
    // otherwise a token that expires could create one that does not
    forTokens: false,
    audit: 'token.create',
    summary: 'Make an API token; its secret is answered once',
    params: z.strictObject({ teamId: id, alias }),
    body: z.strictObject({
      /** Absent: all permissions of the creator. */
      permissions: z.array(z.string().max(100)).min(1, 'token-permissions-none').max(1000, 'list-too-long').optional(),
      /** Days from now; absent: 90. 0: never. */
      days: z.number().int('token-days').min(0, 'token-days').max(3650, 'token-days').default(90),
    }),
    data: ApiToken.extend({ token: z.string() }),
    topics: [tokensTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/token/:id',
    access: { owner: 'api-token', by: 'id', permission: 'team_token_delete' },
    audit: 'token.delete',
    summary: 'Delete an API token; what uses it is refused from now on',
    params: z.strictObject({ id }),
    data: z.null(),
    topics: [tokensTopic],
  }),
}
