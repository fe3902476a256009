import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { session } from '@gantry/contract/auth/session'
import { ldap } from '@gantry/contract/ldap/ldap'
import { users } from '@gantry/contract/users/users'
import { mask } from '@gantry/contract/validators'
import { createLdap, type Ldap } from '../../adapters/ldap/ldap.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { labService } from '../../../test/lab.ts'
import { entry, group, person, type Slapd, slapdThere, startSlapd } from '../../../test/slapd.ts'
import { testApp, type TestApp } from '../../../test/test-app.ts'
import { jobs } from './check.jobs.ts'

describe.skipIf(!slapdThere())('users of a real directory (needs the lab’s ldap)', () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const real = createLdap(outbound)
  /** What was sent to directories. */
  const binds: string[] = []
  let opened = 0
  const port: Ldap = {
    async open(target, options) {
      opened += 1
      const directory = await real.open(target, options)
      return {
        ...directory,
        bind: (dn, password) => {
          binds.push(dn)
          return directory.bind(dn, password)
        },
      }
    },
  }
  let slapd: Slapd
  let app: TestApp
  let team: Awaited<ReturnType<TestApp['team']>>
  const dnOf = (uid: string): string => `uid=${uid},ou=people,${slapd.base}`

  beforeAll(async () => {
    slapd = await startSlapd()
    slapd.change(['ada', 'ben', 'cleo', 'dora'].map((uid) => person(uid)).join('\n'))
    // two entries of one name
    slapd.change([person('twin'), person('other', { uid: ['other', 'twin'] })].join('\n'))
    slapd.change([group('devs', ['ada', 'ben']), group('leads', ['ada'])].join('\n'))
    app = await testApp({ ports: { ldap: port } })
    team = await app.team('harbour')
  })
  afterAll(async () => {
    await Promise.all([slapd.end(), outbound.close()])
  })
  beforeEach(() => {
    binds.length = 0
    opened = 0
  })

  const given = (more: object = {}) => ({
    name: 'Company',
    url: slapd.url,
    bindDn: `cn=reader,${slapd.base}`,
    bindPassword: 'reader-secret',
    baseDn: `ou=people,${slapd.base}`,
    groupBaseDn: `ou=groups,${slapd.base}`,
    mappings: [{ group: `CN=devs, OU=groups, ${slapd.base}`, teamId: team.id, roleId: null }],
    ...more,
  })
  let made = 0
  const add = (more: object = {}) =>
    app.admin.call(ldap.create, { body: given({ name: `Company ${++made}`, ...more }) })
  const signIn = (ldapId: number, username: string, password: string) =>
    app.anonymous.call(session.login, { body: { username, password, ldapId, type: 'LDAP' } })
  const refused = (key: string, status = 400) => expect.objectContaining({ key, status })
  /** What happens every minute. */
  const check = async () => {
    for (const one of jobs.filter(({ every }) => every !== undefined)) await one.run(app.ctx(), {})
    await app.drainJobs()
  }
  const account = (name: string, ldapId: number) =>
    app.db
      .selectFrom('account')
      .selectAll()
      .where('user_name', '=', name)
      .where('provider', '=', String(ldapId))
      .executeTakeFirst()

  describe('settings', () => {
    test('are tested as typed, and tell what was found', async () => {
      const found = await app.admin.call(ldap.validate, { body: given() })
      expect(found).toMatchObject({ users: 6, groups: 2, missing: [], unknownGroups: [] })
      expect(found.sample[0]).toMatchObject({ userName: 'ada', nickname: 'User ada', email: 'ada@example.test' })
      const odd = await app.admin.call(ldap.validate, {
        body: given({
          emailAttribute: 'mobile',
          mappings: [{ group: 'cn=nobody,dc=test', teamId: team.id, roleId: 0 }],
        }),
      })
      expect(odd).toMatchObject({ missing: ['mobile'], unknownGroups: ['cn=nobody,dc=test'] })
    })

    test.each([
      ['the password', { bindPassword: 'wrong' }, 'bindDn', 'ldap-bind-refused'],
      ['the account', { bindDn: 'cn=nobody,dc=test' }, 'bindDn', 'ldap-bind-refused'],
      ['no password', { bindPassword: '' }, 'bindPassword', 'ldap-password-required'],
      ['the base', { baseDn: 'ou=nowhere,dc=test' }, 'baseDn', 'ldap-base-missing'],
      ['another directory’s base', { baseDn: 'dc=elsewhere' }, 'baseDn', 'ldap-base-missing'],
      ['the groups’ base', { groupBaseDn: 'ou=nowhere,dc=test' }, 'groupBaseDn', 'ldap-base-missing'],
      ['what is no DN', { baseDn: 'people' }, 'baseDn', 'ldap-dn'],
      ['a filter that matches nobody', { userFilter: '(uid=nobody)' }, 'userFilter', 'ldap-no-users'],
      ['a filter that is none', { userFilter: '(&(uid=*)' }, 'userFilter', 'ldap-filter-close'],
      ['an attribute that nobody has', { userNameAttribute: 'title' }, 'userNameAttribute', 'ldap-attribute-missing'],
      ['StartTLS without the authority', { startTls: true }, 'ca', 'ldap-tls-untrusted'],
      ['an authority that is none', { ca: 'x' }, 'ca', 'ldap-ca'],
      ['StartTLS by LDAPS', { url: 'ldaps://127.0.0.1:1', startTls: true }, 'startTls', 'ldap-start-tls-ldaps'],
      ['a port without anybody', { url: 'ldap://127.0.0.1:1' }, 'url', 'ldap-unreachable'],
      ['this machine’s other name', { url: 'ldap://[::1]:389' }, 'url', 'ldap-address-refused'],
      ['a name that is none', { url: 'ldap://directory.invalid' }, 'url', 'ldap-unknown-host'],
      [
        'a team that is gone',
        { mappings: [{ group: 'cn=a,dc=test', teamId: 999_999, roleId: null }] },
        'mappings.0.teamId',
        'ldap-mapping-team',
      ],
    ])('name %s as wrong, at its field, and are not saved', async (_, more, path, key) => {
      for (const call of [ldap.create, ldap.validate])
        await expect(app.admin.call(call, { body: given({ name: 'wrong', ...more }) })).rejects.toMatchObject({
          key: 'ldap-check-failed',
          status: 400,
          problems: [{ path, key }],
        })
      expect((await app.admin.call(ldap.list)).map(({ name }) => name)).not.toContain('wrong')
    })

    test('row 45: the password is never read; the mask keeps it while address and account stay', async () => {
      const server = await add()
      expect(server.bindPassword).toBe(mask)
      const { id, users: _, lastCheckedAt: __, problem: ___, ...body } = server
      await app.admin.call(ldap.update, { params: { id }, body: { ...body, nicknameAttribute: 'sn' } })
      await app.admin.call(ldap.validate, { body: { ...body, id } })
      opened = 0
      const moved = [
        { ...body, url: slapd.url.replace('127.0.0.1', 'localhost') },
        { ...body, bindDn: `cn=other,${slapd.base}` },
      ]
      for (const each of moved) {
        const again = { key: 'ldap-check-failed', problems: [{ path: 'bindPassword', key: 'ldap-password-again' }] }
        await expect(app.admin.call(ldap.update, { params: { id }, body: each })).rejects.toMatchObject(again)
        await expect(app.admin.call(ldap.validate, { body: { ...each, id } })).rejects.toMatchObject(again)
      }
      expect(opened).toBe(0)
    })

    test('row 11: a visitor reads ids and names of those that are on', async () => {
      const on = await add({ name: 'On' })
      const off = await add({ name: 'Off', enabled: false, url: 'ldap://127.0.0.1:1' })
      const offered = await app.anonymous.call(session.ldaps)
      expect(offered).toContainEqual({ ldapId: on.id, ldapName: 'On' })
      expect(offered.map(({ ldapId }) => ldapId)).not.toContain(off.id)
      expect(new Set(offered.flatMap((one) => Object.keys(one)))).toEqual(new Set(['ldapId', 'ldapName']))
    })

    test('a name is given once', async () => {
      await add({ name: 'Once' })
      await expect(add({ name: 'Once' })).rejects.toEqual(refused('ldap-name-taken', 409))
    })
  })

  describe('signing in', () => {
    test('makes the account and its teams, and knows it again under another name', async () => {
      const { id } = await add()
      const first = await signIn(id, 'ada', 'pass-ada')
      expect(first).toMatchObject({ userName: 'ada', nickname: 'User ada', type: 'LDAP', admin: false })
      expect(first.teams.map(({ name }) => name)).toEqual(['harbour'])
      slapd.change(`dn: ${dnOf('ada')}\nchangetype: modrdn\nnewrdn: uid=ada2\ndeleteoldrdn: 1\n`)
      const devs = (uid: string) =>
        slapd.change(`dn: cn=devs,ou=groups,${slapd.base}\nchangetype: modify\nadd: member\nmember: ${dnOf(uid)}\n`)
      devs('ada2')
      try {
        const again = await signIn(id, 'ada2', 'pass-ada')
        expect(again).toMatchObject({ id: first.id, userName: 'ada2' })
      } finally {
        slapd.change(`dn: ${dnOf('ada2')}\nchangetype: modrdn\nnewrdn: uid=ada\ndeleteoldrdn: 1\n`)
      }
    })

    test('row 1: a name is a value, never a part of the filter', async () => {
      const { id } = await add()
      for (const name of [
        '*',
        'a*',
        '*)(uid=*',
        '*)(objectClass=*))(|(uid=*',
        String.raw`\2a`,
        'ad\0a',
        'ada)(cn=*',
        '(',
        ')',
      ])
        await expect(signIn(id, name, 'pass-ada')).rejects.toEqual(refused('login-refused'))
      await expect(signIn(id, 'x'.repeat(1_000_000), 'pass-ada')).rejects.toMatchObject({ status: 400 })
    })

    test('row 2: without a password nothing is sent', async () => {
      const { id } = await add()
      opened = 0
      for (const password of ['', ' ', '\t \n', '\0', 'pass-ada\0'])
        await expect(signIn(id, 'ada', password)).rejects.toMatchObject({ status: 400 })
      expect(opened).toBe(0)
    })

    test('row 4: a local name with the type LDAP is never the local account', async () => {
      const { id } = await add()
      slapd.change(person('admin'))
      const done = signIn(id, 'admin', 'pass-admin')
      // nobody mapped the entry into a team
      await expect(done).rejects.toEqual(refused('user-Unknown-team'))
      const local = await app.db
        .selectFrom('account')
        .select('id')
        .where('user_name', '=', 'admin')
        .where('type', '=', 'IDENTITY')
        .executeTakeFirst()
      expect((await account('admin', id))?.id).not.toBe(local?.id)
      slapd.change(`dn: ${dnOf('admin')}\nchangetype: delete\n`)
    })

    test('row 6: unknown and wrong cost the same and say the same', async () => {
      const { id } = await add()
      const bodies: unknown[] = []
      const counts: number[] = []
      for (const name of ['nobody', 'ada', 'twin']) {
        binds.length = 0
        const { body } = await app.anonymous.request(session.login, {
          body: { username: name, password: 'wrong', ldapId: id, type: 'LDAP' },
        })
        bodies.push(JSON.parse(body))
        counts.push(binds.length)
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
      expect(counts).toEqual([2, 2, 2])
    })

    test('row 5: wrong passwords are counted on the account, until it is locked', async () => {
      const { id } = await add()
      await signIn(id, 'ben', 'pass-ben')
      await Promise.allSettled(Array.from({ length: 5 }, () => signIn(id, 'BEN', 'wrong')))
      expect(await account('ben', id)).toMatchObject({ wrong_passwords: 5, status: 'locked' })
      await expect(signIn(id, 'ben', 'pass-ben')).rejects.toEqual(refused('login-locked'))
    })

    test('F23 two entries of one name are nobody', async () => {
      const { id } = await add()
      await expect(signIn(id, 'twin', 'pass-twin')).rejects.toEqual(refused('login-refused'))
      expect(await account('twin', id)).toBeUndefined()
    })

    test('without accounts at sign-in, only who was imported gets in', async () => {
      const { id } = await add({ createAtLogin: false })
      await expect(signIn(id, 'ada', 'pass-ada')).rejects.toEqual(refused('login-not-imported', 403))
      await app.admin.call(ldap.importEntries, { params: { id }, body: [{ dn: dnOf('ada') }] })
      expect(await signIn(id, 'ada', 'pass-ada')).toMatchObject({ userName: 'ada' })
    })

    test('a directory that is off, or none', async () => {
      const { id } = await add({ enabled: false })
      await expect(signIn(id, 'ada', 'pass-ada')).rejects.toEqual(refused('ldap-off'))
      await expect(signIn(999_999, 'ada', 'pass-ada')).rejects.toEqual(refused('ldap-off'))
    })

    test('leaders come by role 0, and memberships go with the group', async () => {
      const { id } = await add({
        mappings: [
          { group: `cn=devs,ou=groups,${slapd.base}`, teamId: team.id, roleId: null },
          { group: `cn=leads,ou=groups,${slapd.base}`, teamId: team.id, roleId: 0 },
        ],
      })
      expect((await signIn(id, 'ada', 'pass-ada')).teams).toMatchObject([{ id: team.id, teamLeader: true }])
      const leads = `cn=leads,ou=groups,${slapd.base}`
      slapd.change(`dn: ${leads}\nchangetype: modify\nreplace: member\nmember: ${dnOf('dora')}\n`)
      await check()
      const member = () =>
        app.db
          .selectFrom('team_member')
          .innerJoin('account', 'account.id', 'team_member.account_id')
          .select('team_member.leader')
          .where('account.user_name', '=', 'ada')
          .where('account.provider', '=', String(id))
          .executeTakeFirst()
      expect(await member()).toEqual({ leader: false })
      slapd.change(`dn: ${leads}\nchangetype: modify\nreplace: member\nmember: ${dnOf('ada')}\n`)
      await check()
      expect(await member()).toEqual({ leader: true })
    })
  })

  describe('a directory at fault', () => {
    let silent: Server
    let silentUrl = ''
    beforeAll(async () => {
      silent = createServer(() => undefined).listen(0, '127.0.0.1')
      await new Promise((resolve) => silent.once('listening', resolve))
      const address = silent.address()
      silentUrl = `ldap://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    })
    afterAll(() => silent.close())

    test('row 40: accepts and never answers: 5 s in all', async () => {
      const began = Date.now()
      await expect(app.admin.call(ldap.validate, { body: given({ url: silentUrl }) })).rejects.toMatchObject({
        problems: [{ path: 'url', key: 'ldap-timeout' }],
      })
      expect(Date.now() - began).toBeLessThan(20_000)
    })

    test('row 40: another protocol: PostgreSQL', async () => {
      const database = labService('postgres')
      const url = `ldap://${database?.['POSTGRES_HOST']}:${database?.['POSTGRES_PORT']}`
      await expect(app.admin.call(ldap.validate, { body: given({ url }) })).rejects.toMatchObject({
        problems: [{ path: 'url', key: expect.stringMatching(/^ldap-(closed|not-ldap)$/) }],
      })
    })

    test('F22 holds up neither another directory nor a local sign-in', async () => {
      const hung = await add({ url: slapd.url })
      const { id } = await add()
      await app.db.updateTable('ldap_server').set({ url: silentUrl }).where('id', '=', hung.id).execute()
      const waiting = Array.from({ length: 20 }, () => signIn(hung.id, 'ada', 'pass-ada'))
      let over = false
      const all = Promise.allSettled(waiting).then((results) => {
        over = true
        return results
      })
      expect(await signIn(id, 'ada', 'pass-ada')).toMatchObject({ userName: 'ada' })
      await expect(
        app.anonymous.call(session.login, { body: { username: 'admin', password: 'wrong' } }),
      ).rejects.toEqual(refused('login-refused'))
      expect(over).toBe(false)
      for (const result of await all)
        expect(result).toMatchObject({ status: 'rejected', reason: { key: 'ldap-login-timeout', status: 503 } })
      const listed = (await app.admin.call(ldap.list)).find((server) => server.id === hung.id)
      expect(listed?.problem).toContain('did not answer in time')
      await app.admin.call(ldap.remove, { params: { id: hung.id } })
    })

    test('takes nobody’s access away, and is shown with why', async () => {
      const { id } = await add()
      await signIn(id, 'ada', 'pass-ada')
      await slapd.stop()
      try {
        await check()
        expect(await account('ada', id)).toMatchObject({ status: 'normal' })
        await expect(signIn(id, 'ada', 'pass-ada')).rejects.toEqual(refused('ldap-login-down', 503))
        const listed = (await app.admin.call(ldap.list)).find((server) => server.id === id)
        expect(listed?.problem).toContain('refuses the connection')
      } finally {
        await slapd.start()
      }
      await check()
      expect((await app.admin.call(ldap.list)).find((server) => server.id === id)?.problem).toBe('')
    })

    test('one that shows nobody any more is at fault itself', async () => {
      const { id } = await add()
      await signIn(id, 'ada', 'pass-ada')
      await app.db.updateTable('ldap_server').set({ user_filter: '(uid=nobody)' }).where('id', '=', id).execute()
      await check()
      expect(await account('ada', id)).toMatchObject({ status: 'normal' })
      expect((await app.admin.call(ldap.list)).find((server) => server.id === id)?.problem).not.toBe('')
    })
  })

  describe('the look every minute', () => {
    const rows = (action: string) =>
      app.db
        .selectFrom('audit_log')
        .select(['object', 'message'])
        .where('action', '=', action)
        .orderBy('id', 'desc')
        .execute()

    test('whoever is gone loses sessions and access; whoever is back gets in again', async () => {
      const { id } = await add()
      slapd.change(
        [
          person('eve'),
          `dn: cn=devs,ou=groups,${slapd.base}\nchangetype: modify\nadd: member\nmember: ${dnOf('eve')}\n`,
        ].join('\n'),
      )
      const { token, id: userId } = await signIn(id, 'eve', 'pass-eve')
      const eve = app.caller({ kind: 'user', id: userId, name: 'eve', admin: false }, token)
      await eve.call(users.get, { params: { id: userId } })
      slapd.change(
        `dn: ${dnOf('eve')}\nchangetype: modify\nreplace: objectClass\nobjectClass: inetOrgPerson\n-\nreplace: title\ntitle: left\n`,
      )
      const narrowed = { userFilter: '(&(objectClass=person)(!(title=left)))' }
      await app.admin.call(ldap.update, { params: { id }, body: given({ name: 'narrowed', ...narrowed }) })
      await check()
      expect(await account('eve', id)).toMatchObject({ status: 'disabled' })
      await expect(eve.call(users.get, { params: { id: userId } })).rejects.toMatchObject({ status: 401 })
      expect((await rows('ldap.bar'))[0]).toMatchObject({ object: 'eve', message: 'ldap-barred-gone' })
      slapd.change(`dn: ${dnOf('eve')}\nchangetype: modify\ndelete: title\n`)
      await check()
      expect(await account('eve', id)).toMatchObject({ status: 'normal' })
      expect((await rows('ldap.unbar'))[0]).toMatchObject({ object: 'eve' })
    })

    test('a ban by hand is not lifted', async () => {
      const { id } = await add()
      const { id: userId } = await signIn(id, 'ada', 'pass-ada')
      await app.admin.call(users.approve, { params: { id: userId }, query: { enable: 'false' } })
      await check()
      expect(await account('ada', id)).toMatchObject({ status: 'disabled' })
    })

    test('an entry that is locked for good is disabled; a lock after wrong passwords is not', async () => {
      const { id } = await add()
      await signIn(id, 'ada', 'pass-ada')
      const lock = (value: string) =>
        slapd.change(
          `dn: ${dnOf('ada')}\nchangetype: modify\nreplace: pwdAccountLockedTime\npwdAccountLockedTime: ${value}\n`,
        )
      lock('20260101000000Z')
      await check()
      expect(await account('ada', id)).toMatchObject({ status: 'normal' })
      lock('000001010000Z')
      await check()
      expect(await account('ada', id)).toMatchObject({ status: 'disabled' })
      slapd.change(`dn: ${dnOf('ada')}\nchangetype: modify\ndelete: pwdAccountLockedTime\n`)
      // signing in is a look as well
      expect(await signIn(id, 'ada', 'pass-ada')).toMatchObject({ userName: 'ada' })
    })

    test('a directory that is switched off takes its users with it, and brings them back', async () => {
      const { id } = await add()
      const { token, id: userId } = await signIn(id, 'ada', 'pass-ada')
      const ada = app.caller({ kind: 'user', id: userId, name: 'ada', admin: false }, token)
      const body = given({ name: `Company ${made}` })
      await app.admin.call(ldap.update, { params: { id }, body: { ...body, enabled: false } })
      await check()
      await expect(ada.call(users.get, { params: { id: userId } })).rejects.toMatchObject({ status: 401 })
      await app.admin.call(ldap.update, { params: { id }, body })
      await check()
      expect(await account('ada', id)).toMatchObject({ status: 'normal' })
    })

    test('an entry that was moved is found by its identifier, and stays the same user', async () => {
      const { id } = await add()
      const { id: userId } = await signIn(id, 'ada', 'pass-ada')
      slapd.change(`dn: ${dnOf('ada')}\nchangetype: modrdn\nnewrdn: uid=moved\ndeleteoldrdn: 1\n`)
      try {
        await check()
        expect(await account('moved', id)).toMatchObject({ id: userId, status: 'normal' })
        // another entry in its old place is another person
        slapd.change(person('ada'))
        await check()
        expect(await account('moved', id)).toMatchObject({ id: userId, status: 'normal' })
      } finally {
        slapd.change(`dn: ${dnOf('ada')}\nchangetype: delete\n`)
        slapd.change(`dn: ${dnOf('moved')}\nchangetype: modrdn\nnewrdn: uid=ada\ndeleteoldrdn: 1\n`)
      }
    })

    test('names follow', async () => {
      const { id } = await add()
      await signIn(id, 'ada', 'pass-ada')
      slapd.change(`dn: ${dnOf('ada')}\nchangetype: modify\nreplace: cn\ncn: Ada L.\n`)
      await check()
      expect(await account('ada', id)).toMatchObject({ nickname: 'Ada L.' })
      slapd.change(`dn: ${dnOf('ada')}\nchangetype: modify\nreplace: cn\ncn: User ada\n`)
    })
  })

  describe('search and import', () => {
    test('row 41: pages by a cursor, by what the keyword says and no filter', async () => {
      const { id } = await add()
      const names: string[] = []
      let cursor: string | undefined
      do {
        const page = await app.admin.call(ldap.search, {
          params: { id },
          query: { pageSize: 2, ...(cursor !== undefined && { cursor }) },
        })
        names.push(...page.items.map(({ userName }) => userName))
        cursor = page.next ?? undefined
      } while (cursor !== undefined)
      expect(names).toEqual([...names].sort())
      expect(new Set(names).size).toBe(names.length)
      expect(names).toContain('dora')
      const find = (keyword: string) => app.admin.call(ldap.search, { params: { id }, query: { keyword } })
      expect((await find('CLEO@')).items.map(({ userName }) => userName)).toEqual(['cleo'])
      for (const keyword of ['*', ')(uid=*', '\\', 'a*a']) expect((await find(keyword)).items).toEqual([])
    })

    test('row 41: the report names each: created, there already, twice, outside, no DN', async () => {
      const { id } = await add({ mappings: [] })
      const odd = `cn=${String.raw`O\'Neil\, \"Pat\" \2b`},ou=people,${slapd.base}`
      slapd.change(
        entry(odd.replace(String.raw`\'`, "'"), {
          objectClass: 'inetOrgPerson',
          uid: 'pat',
          sn: 'p',
          cn: `O'Neil, "Pat" +`,
        }),
      )
      const body = [
        { dn: dnOf('cleo') },
        { dn: `UID=cleo, OU=People, ${slapd.base}` },
        { dn: odd.replace(String.raw`\'`, "'") },
        { dn: dnOf('gone') },
        { dn: `cn=reader,${slapd.base}` },
        { dn: `cn=devs,ou=groups,${slapd.base}` },
        { dn: 'not a dn' },
      ]
      const report = await app.admin.call(ldap.importEntries, { params: { id }, body })
      expect(report.rows.map(({ result }) => result)).toEqual([
        'created',
        'duplicate',
        'created',
        'missing',
        'missing',
        'missing',
        'failed',
      ])
      expect(report.created).toBe(2)
      const again = await app.admin.call(ldap.importEntries, { params: { id }, body: body.slice(0, 1) })
      expect(again).toMatchObject({ created: 0, rows: [{ result: 'duplicate', userName: 'cleo' }] })
      expect((await app.admin.call(ldap.search, { params: { id }, query: { keyword: 'cleo' } })).items).toMatchObject([
        { userName: 'cleo', imported: true },
      ])
    })
  })

  test('a directory with users is deleted only together with them', async () => {
    const { id } = await add()
    await signIn(id, 'ada', 'pass-ada')
    await expect(app.admin.call(ldap.remove, { params: { id } })).rejects.toEqual(refused('ldap-in-use', 409))
    await app.admin.call(ldap.remove, { params: { id }, query: { force: 'true' } })
    expect(await account('ada', id)).toBeUndefined()
  })
})
