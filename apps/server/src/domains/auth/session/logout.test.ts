import { session } from '@gantry/contract/auth/session'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../../../test/test-app.ts'
import type { LogoutUrlOf } from '../../../identity/sign-in.ts'

const hooks: LogoutUrlOf[] = []
vi.mock('./hooks.ts', () => ({ logoutHooks: async () => hooks, identityProviders: async () => [] }))

const app = await testApp({ onlyDomains: ['auth'] })
const away = 'https://id.example/end'

test('the first hook that knows the login returns the next URL, before the session ends', async () => {
  const one = await app.user()
  const [{ family } = { family: '' }] = await one.call(session.sessions)
  hooks.splice(
    0,
    9,
    async () => null,
    async (ctx, wanted) => {
      const rows = await ctx.db.selectFrom('session').select('id').where('family', '=', wanted).execute()
      return rows.length > 0 && wanted === family ? away : null
    },
    async () => 'https://never.example',
  )
  await expect(one.call(session.logout)).resolves.toEqual({ logoutUrl: away })
  await expect(one.call(session.sessions)).rejects.toMatchObject({ status: 401 })
})

test('a failing hook does not prevent the logout, and the next one is called', async () => {
  const one = await app.user()
  hooks.splice(
    0,
    9,
    async () => {
      throw new Error('the provider cannot be asked')
    },
    async () => away,
  )
  await expect(one.call(session.logout)).resolves.toEqual({ logoutUrl: away })
  await expect(one.call(session.sessions)).rejects.toMatchObject({ status: 401 })
})

test('without a hook that knows the login there is no next URL', async () => {
  const one = await app.user()
  hooks.splice(0, 9)
  await expect(one.call(session.logout)).resolves.toEqual({ logoutUrl: null })
})
