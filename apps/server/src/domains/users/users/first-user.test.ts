import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { session } from '@gantry/contract/auth/session'
import { expect, test } from 'vitest'
import { testApp } from '../../../../test/test-app.ts'

const fresh = async (config: Parameters<typeof testApp>[0] = {}) => {
  const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'], ...config })
  await app.db.deleteFrom('account').execute()
  return app
}
const who = ({ db }: Awaited<ReturnType<typeof fresh>>) =>
  db
    .selectFrom('account')
    .leftJoin('team_member', 'team_member.account_id', 'account.id')
    .leftJoin('team', 'team.id', 'team_member.team_id')
    .select(['user_name', 'email', 'admin', 'newly_built', 'team.name as team', 'leader'])
    .execute()
const admin = {
  user_name: 'admin',
  email: 'admin@gantry.local',
  admin: true,
  newly_built: true,
  team: 'default',
  leader: true,
}

test('the first start creates the administrator and the team default, with the password of GANTRY_ADMIN_PASSWORD', async () => {
  const app = await fresh({ config: { adminPassword: 'from the environment' } })
  await app.firstThings()
  expect(await who(app)).toEqual([admin])
  const login = app.anonymous.call(session.login, { body: { username: 'admin', password: 'from the environment' } })
  await expect(login).resolves.toMatchObject({
    newlyBuilt: true,
    admin: true,
    teams: [{ name: 'default', teamLeader: true }],
  })
  const begun = await app.db.selectFrom('team_role').select('name').orderBy('name').execute()
  expect(begun.map(({ name }) => name)).toEqual(['developer', 'operator', 'viewer'])
})

test('without GANTRY_ADMIN_PASSWORD the password is in a file that only its owner can read', async () => {
  const app = await fresh()
  await app.firstThings()
  const file = join(app.config.data, 'admin-password')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const password = readFileSync(file, 'utf8').trim()
  await expect(app.anonymous.call(session.login, { body: { username: 'admin', password } })).resolves.toMatchObject({
    newlyBuilt: true,
  })
})

test('concurrent and later starts change nothing', async () => {
  const app = await fresh()
  await Promise.all([app.firstThings(), app.firstThings(), app.firstThings()])
  await app.db.updateTable('account').set({ newly_built: false }).execute()
  await app.firstThings()
  expect(await who(app)).toEqual([{ ...admin, newly_built: false }])
})
