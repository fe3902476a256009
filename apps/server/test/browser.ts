import { randomBytes } from 'node:crypto'
import { session } from '@gantry/contract/auth/session'
import type { CallInput, Endpoint } from '@gantry/contract/endpoint'
import { proofHeader } from '@gantry/contract/envelope'
import { goodPassword } from './password.ts'
import type { TestApp } from './test-app.ts'

/** A browser from the server's view: keeps cookies, and sends the proof that only pages of one origin can read. */
export function newBrowser() {
  const jar = new Map<string, string>()
  const proof = randomBytes(32).toString('hex')
  const shown = () => ({
    cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    [proofHeader]: proof,
  })

  async function request<E extends Endpoint>(
    { anonymous }: Pick<TestApp, 'anonymous'>,
    e: E,
    input: CallInput<E> = {},
    headers: Record<string, string> = {},
  ) {
    const reply = await anonymous.request(e, input, { ...shown(), ...headers })
    for (const { name, value } of reply.cookies) jar.set(name, value)
    return reply
  }

  return {
    jar,
    /** The headers that a page of ours sends. */
    shown,
    request,
    logIn: (app: Pick<TestApp, 'anonymous'>, username: string, password = goodPassword, headers = {}) =>
      request(app, session.login, { body: { username, password } }, headers),
  }
}

export type TestBrowser = ReturnType<typeof newBrowser>
