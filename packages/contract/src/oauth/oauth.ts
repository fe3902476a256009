import { z } from 'zod'
import { Session } from '../auth/session.ts'
import { endpoint } from '../endpoint.ts'
import { usersTopic } from '../users/topics.ts'

export const oauth = {
  /** Opened by the browser directly; if the provider cannot be reached, it redirects to /login?error=…. */
  login: endpoint({
    method: 'GET',
    path: '/api/oauth/login',
    access: 'public',
    summary: 'Go to the provider to sign in',
    data: z.unknown(),
  }),
  afterAuth: endpoint({
    method: 'GET',
    path: '/api/oauth/afterauth',
    access: 'public',
    audit: 'session.oauth',
    summary: "Exchange the provider's code for a session",
    query: z.strictObject({
      code: z.string().min(1).max(4000),
      state: z.string().max(500).optional(),
      iss: z.string().max(2000).optional(),
      session_state: z.string().max(500).optional(),
      scope: z.string().max(2000).optional(),
    }),
    data: Session,
    topics: [usersTopic],
  }),
  /** Called by the provider, not by a browser: a signed token names the user. */
  backchannelLogout: endpoint({
    method: 'POST',
    path: '/api/oauth/backchannel-logout',
    access: 'public',
    audit: 'session.backchannel-logout',
    summary: 'Back-channel logout of OpenID Connect: ends the sessions that its logout token names',
    upload: 64 * 1024,
    data: z.null(),
    topics: [],
  }),
}
