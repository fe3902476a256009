import { z } from 'zod'
import { Session } from '@gantry/contract/auth/session'
import { endpoint } from '@gantry/contract/endpoint'
import { users } from '@gantry/contract/users/users'
import { password } from '@gantry/contract/validators'

const { shape } = users.create.body

/**
 * Two calls that a visitor makes only where `/api/public/options` offers registration or OAuth. The server does not
 * answer them yet, so they are not in the contract; they move there with it.
 */
export const visitorCalls = {
  register: endpoint({
    method: 'POST',
    path: '/api/public/registerUser',
    access: 'public',
    audit: 'user.register',
    summary: 'Register as a visitor',
    body: z.strictObject({ userName: shape.userName, nickname: shape.nickname, email: shape.email, password }),
    data: z.unknown(),
  }),
  afterOauth: endpoint({
    method: 'GET',
    path: '/api/oauth/afterauth',
    access: 'public',
    audit: 'session.oauth',
    summary: "Exchange a provider's code for a session",
    query: z.strictObject({ code: z.string(), state: z.string().optional() }),
    data: Session,
  }),
}
