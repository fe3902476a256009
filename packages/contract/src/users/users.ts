import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { text } from '../validators.ts'

export const User = z.object({
  id: z.number().int(),
  userName: z.string(),
  nickname: z.string(),
  email: z.string(),
  admin: z.boolean(),
  type: z.enum(['IDENTITY', 'LDAP', 'OAUTH']),
  /** normal, banned by hand, banned after wrong passwords, banned after 90 days without a login. */
  state: z.enum(['normal', 'disabled', 'locked', 'inactive']),
  teams: z.array(z.object({ id: z.number().int(), name: z.string() })),
  updatedAt: z.string(),
})
export type User = z.infer<typeof User>

const one = z.strictObject({ id })

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/users',
    access: 'admin',
    summary: 'Users; page=true is a flag of the specification and not a page number',
    query: listQuery({ pageSize: 20 }).extend({ page: z.enum(['true', 'false']).optional() }),
    data: listOf(User),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/users',
    access: 'admin',
    audit: 'user.create',
    summary: 'Create a local user; the initial password is answered once and must be changed at the first login',
    body: z.strictObject({
      userName: z
        .string()
        .min(2, 'user-name-format')
        .max(30, 'user-name-format')
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'user-name-format'),
      nickname: text(20, 'nickname-length').refine((s) => [...s].length >= 2, 'nickname-length'),
      email: z
        .string()
        .min(6, 'email-length')
        .max(30, 'email-length')
        .regex(/^[^\s@<>"',;]+@[^\s@<>"',;]+\.[A-Za-z]{2,}$/, 'email-format'),
      admin: z.boolean().default(false),
    }),
    data: User.extend({ initialPassword: z.string() }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/users/:id',
    access: 'user',
    summary: 'One user: oneself, or anyone for an administrator',
    params: one,
    data: User,
    beforePasswordChange: true,
  }),
  /** Two payloads on one path, as specified: with `password` it is the password change and everything else in it is ignored. */
  update: endpoint({
    method: 'PUT',
    path: '/api/users/:id',
    access: 'user',
    audit: 'user.update',
    summary: "Change one's profile, or one's password (which ends all sessions)",
    params: one,
    body: z.strictObject({
      nickname: text(20, 'nickname-length').optional(),
      email: z.string().max(30, 'email-length').optional(),
      oldPassword: z.string().max(200).optional(),
      password: z.string().max(200).optional(),
      rePassword: z.string().max(200).optional(),
      admin: z.boolean().optional(),
      id: z.number().int().optional(),
      spaceName: z.string().max(200).optional(),
    }),
    data: User,
    beforePasswordChange: true,
  }),
}
