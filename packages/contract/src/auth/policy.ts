import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { settingsTopic } from '../settings/topics.ts'
import { madeOn, Revision } from '../revision.ts'

/** How local users log in. */
export const LoginPolicy = z.strictObject({
  /** A password older than this number of days must be changed at the next login. */
  passwordDays: z.number().int('password-days').min(7, 'password-days').max(730, 'password-days'),
  /** More consecutive wrong passwords than this lock the account. */
  retries: z.number().int('login-retries').min(3, 'login-retries').max(10, 'login-retries'),
})
export type LoginPolicy = z.infer<typeof LoginPolicy>

const Saved = LoginPolicy.extend({ revision: Revision })

export const policy = {
  get: endpoint({
    method: 'GET',
    path: '/api/system/login',
    access: { system: 'system_setting_view' },
    summary: 'The login policy',
    data: Saved,
    topics: [settingsTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/system/login',
    access: 'admin',
    audit: 'login-policy.update',
    summary: 'Set the login policy',
    body: LoginPolicy.extend(madeOn),
    data: Saved,
    topics: [settingsTopic],
  }),
}
