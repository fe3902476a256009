import { session } from '@gantry/contract/auth/session'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { newBrowser, type TestBrowser } from '../../../test/browser.ts'
import { testApp } from '../../../test/test-app.ts'
import type { Directory } from '../../adapters/ldap/ldap.ts'
import { Fault } from '../../kernel/fault.ts'
import { keepExternal } from '../users/public.ts'
import { keepEntry, providerOf } from './accounts.store.ts'
import { checkServer } from './check.service.ts'
import { findServer, insertServer } from './servers.store.ts'
import { signIn } from './sign-in.service.ts'

/** Entries of the directory, by name. */
let people = new Map<string, { cn: string }>()
let onSearch = () => {}

const directory: Directory = {
  host: 'directory.test',
  bind: async (_dn, password) => password !== 'wrong',
  async search({ base, scope }) {
    onSearch()
    const found = [...people].filter(([uid]) => scope === 'sub' || base === `uid=${uid},dc=test`)
    return {
      entries: found.map(([uid, { cn }]) => ({
        dn: `uid=${uid},dc=test`,
        attributes: new Map(
          Object.entries({ uid, cn, entryuuid: uid }).map(([name, text]) => [name, [Buffer.from(text)]]),
        ),
      })),
      more: false,
      references: 0,
    }
  },
  close: () => undefined,
}
const app = await testApp({
  onlyDomains: ['auth', 'users', 'teams', 'ldap'],
  ports: { ldap: { open: async () => directory } },
})

const { id: ldapId } = await insertServer(app.db, {
  name: 'Company',
  url: 'ldap://directory.test',
  startTls: false,
  ca: '',
  bindDn: '',
  bindPassword: null,
  baseDn: 'dc=test',
  userFilter: '(objectClass=person)',
  userNameAttribute: 'uid',
  nicknameAttribute: 'cn',
  emailAttribute: 'mail',
  groupBaseDn: '',
  groupMemberAttribute: 'member',
  createAtLogin: true,
  enabled: true,
  mappings: [],
})
const names = ['ada', 'ben', 'cleo']
for (const name of names) {
  const user = { type: 'LDAP', provider: providerOf(ldapId), subject: `entryUUID:${name}` } as const
  const grants = { create: true, teams: [] }
  const id = await keepExternal(app.ctx(), { ...user, userName: name, nickname: name, email: '' }, grants)
  if (id !== undefined) await keepEntry(app.db, id, `uid=${name},dc=test`, '')
}

const account = (name: string) =>
  app.db
    .selectFrom('account')
    .select(['nickname', 'status', 'wrong_passwords'])
    .where('user_name', '=', name)
    .executeTakeFirst()

beforeEach(() => {
  people = new Map(names.map((name) => [name, { cn: name }]))
  onSearch = () => {}
})

test('an account that cannot be updated does not stop the check of the others', async () => {
  await sql`create function refuse_ada() returns trigger language plpgsql as
    $$ begin if new.nickname = 'Ada' then raise exception 'refused'; end if; return new; end $$`.execute(app.db)
  await sql`create trigger refuse_ada before update on account for each row execute function refuse_ada()`.execute(
    app.db,
  )
  people = new Map([
    ['ada', { cn: 'Ada' }],
    ['ben', { cn: 'Ben' }],
  ])
  await checkServer(app.ctx(), ldapId)
  await sql`drop trigger refuse_ada on account`.execute(app.db)
  expect(await account('ada')).toMatchObject({ nickname: 'ada' })
  expect(await account('ben')).toMatchObject({ nickname: 'Ben' })
  expect(await account('cleo')).toMatchObject({ status: 'disabled' })
  await checkServer(app.ctx(), ldapId)
  expect(await account('ada')).toMatchObject({ nickname: 'Ada' })
})

test('a locked user of a directory keeps sessions and can log in from a known browser, until the entry is gone', async () => {
  const { id } = await app.db
    .selectFrom('account')
    .select('id')
    .where('user_name', '=', 'ben')
    .executeTakeFirstOrThrow()
  await app.db
    .insertInto('team_member')
    .values({ team_id: (await app.team()).id, account_id: id })
    .execute()
  people = new Map([['ben', { cn: 'Ben' }]])
  await checkServer(app.ctx(), ldapId)
  const [home, stranger] = [newBrowser(), newBrowser()]
  const login = async (browser: TestBrowser, password = 'right') => {
    const body = { username: 'ben', password, ldapId, type: 'LDAP' as const }
    return (await browser.request(app, session.login, { body })).json<{ message: string; data: unknown }>()
  }
  const { token } = session.login.data.parse((await login(home)).data)
  const ben = app.caller({ kind: 'user', id, name: 'ben', admin: false }, token)
  for (let wrong = 0; wrong < 4; wrong++) expect((await login(stranger, 'wrong')).message).toBe('login-refused')
  expect(await account('ben')).toMatchObject({ status: 'locked' })
  await checkServer(app.ctx(), ldapId)
  await expect(ben.call(session.sessions)).resolves.toHaveLength(1)
  expect((await login(stranger)).message).toBe('login-locked')
  expect((await login(home)).message).toBe('')
  people = new Map([['ada', { cn: 'Ada' }]])
  await checkServer(app.ctx(), ldapId)
  expect(await account('ben')).toMatchObject({ status: 'disabled' })
  expect((await home.request(app, session.refresh)).statusCode).toBe(401)
})

test('a check aborted by its caller or a stopping server is not reported as a problem of the directory', async () => {
  const broken = new Fault('unavailable', 'ldap-broken', { host: directory.host, reason: '' })
  const cutOff = () => {
    const ended = new AbortController()
    onSearch = () => {
      ended.abort()
      throw broken
    }
    return { ...app.ctx(), signal: ended.signal }
  }
  await expect(checkServer(cutOff(), ldapId)).rejects.toBe(broken)
  await expect(signIn(cutOff(), { username: 'ada', password: 'x', ldapId }, undefined)).rejects.toBe(broken)
  expect(await findServer(app.db, ldapId)).toMatchObject({ problem: null })
  onSearch = () => {
    throw broken
  }
  await checkServer(app.ctx(), ldapId)
  expect(await findServer(app.db, ldapId)).toMatchObject({ problem: { key: 'ldap-broken' } })
})

test('a user without a team gets an account, and can be added to one', async () => {
  people = new Map([['dora', { cn: 'Dora' }]])
  const body = { username: 'dora', password: 'right', ldapId, type: 'LDAP' as const }
  await expect(app.anonymous.call(session.login, { body })).rejects.toMatchObject({ key: 'user-Unknown-team' })
  expect(await account('dora')).toMatchObject({ nickname: 'Dora', status: 'normal' })
})
