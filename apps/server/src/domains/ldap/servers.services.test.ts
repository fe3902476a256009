import { describe, expect, test } from 'vitest'
import { session } from '@gantry/contract/auth/session'
import { ldap } from '@gantry/contract/ldap/ldap'
import { mask } from '@gantry/contract/validators'
import { labService } from '../../../test/lab.ts'
import { refused, silentUrl, useDirectory } from '../../../test/directory.ts'
import { entry, person, slapdThere } from '../../../test/slapd.ts'

describe.skipIf(!slapdThere())('the settings of a real directory (needs the lab’s ldap)', () => {
  const at = useDirectory()
  const { account, add, check, dnOf, given, signIn } = at

  describe('settings', () => {
    test('are tested as entered, and the result is returned', async () => {
      const found = await at.app.admin.call(ldap.validate, { body: given() })
      expect(found).toMatchObject({ users: 6, groups: 2, missing: [], unknownGroups: [] })
      expect(found.sample[0]).toMatchObject({ userName: 'ada', nickname: 'User ada', email: 'ada@example.test' })
      const odd = await at.app.admin.call(ldap.validate, {
        body: given({
          emailAttribute: 'mobile',
          mappings: [{ group: 'cn=nobody,dc=test', teamId: at.team.id, roleId: 0 }],
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
      ['an invalid DN', { baseDn: 'people' }, 'baseDn', 'ldap-dn'],
      ['a filter that matches nobody', { userFilter: '(uid=nobody)' }, 'userFilter', 'ldap-no-users'],
      ['an invalid filter', { userFilter: '(&(uid=*)' }, 'userFilter', 'ldap-filter-close'],
      ['an attribute that nobody has', { userNameAttribute: 'title' }, 'userNameAttribute', 'ldap-attribute-missing'],
      ['StartTLS without the CA', { startTls: true }, 'ca', 'ldap-tls-untrusted'],
      ['an invalid CA', { ca: 'x' }, 'ca', 'ldap-ca'],
      ['StartTLS with LDAPS', { url: 'ldaps://127.0.0.1:1', startTls: true }, 'startTls', 'ldap-start-tls-ldaps'],
      ['a closed port', { url: 'ldap://127.0.0.1:1' }, 'url', 'ldap-unreachable'],
      ['this machine’s other name', { url: 'ldap://[::1]:389' }, 'url', 'ldap-address-refused'],
      ['an unknown host', { url: 'ldap://directory.invalid' }, 'url', 'ldap-unknown-host'],
      [
        'a deleted team',
        { mappings: [{ group: 'cn=a,dc=test', teamId: 999_999, roleId: null }] },
        'mappings.0.teamId',
        'ldap-mapping-team',
      ],
    ])('are refused for %s, at its field, and not saved', async (_, more, path, key) => {
      for (const call of [ldap.create, ldap.validate])
        await expect(at.app.admin.call(call, { body: given({ name: 'wrong', ...more }) })).rejects.toMatchObject({
          key: 'ldap-check-failed',
          status: 400,
          problems: [{ path, key }],
        })
      expect((await at.app.admin.call(ldap.list)).map(({ name }) => name)).not.toContain('wrong')
    })

    test('POSIX groups map their members at each sign-in and check, by uid whatever the user name is', async () => {
      const crew = `cn=crew,ou=groups,${at.slapd.base}`
      at.slapd.change(entry(crew, { objectClass: 'posixGroup', cn: 'crew', gidNumber: '7', memberUid: ['ada', 'ben'] }))
      const mappings = [{ group: crew, teamId: at.team.id, roleId: null }]
      const more = { groupMemberAttribute: 'memberUid', userNameAttribute: 'mail', mappings }
      const found = await at.app.admin.call(ldap.validate, { body: given(more) })
      expect(found).toMatchObject({ groups: 1, unknownGroups: [] })
      const { id } = await add(more)
      const user = await signIn(id, 'ada@example.test', 'pass-ada')
      expect(user.teams.map((team) => team.id)).toEqual([at.team.id])
      await check()
      const members = () =>
        at.app.db.selectFrom('team_member').select('team_id').where('account_id', '=', user.id).execute()
      expect(await members()).toHaveLength(1)
      at.slapd.change(`dn: ${crew}\nchangetype: modify\ndelete: memberUid\nmemberUid: ada\n`)
      await check()
      expect(await members()).toHaveLength(0)
      at.slapd.change(`dn: ${crew}\nchangetype: delete\n`)
    })

    test('a directory without the rule for nested groups is refused for it', async () => {
      const body = given({ groupMemberAttribute: 'member:1.2.840.113556.1.4.1941:' })
      await expect(at.app.admin.call(ldap.validate, { body })).rejects.toMatchObject({
        key: 'ldap-check-failed',
        problems: [{ path: 'groupMemberAttribute', key: 'ldap-rule-unsupported' }],
      })
    })

    test('an address that two users share is reported by the test and by the import', async () => {
      const { id } = await add()
      at.slapd.change(
        [person('eva', { mail: 'desk@example.test' }), person('eve', { mail: 'DESK@example.test' })].join('\n'),
      )
      const found = await at.app.admin.call(ldap.validate, { body: { ...given(), id } })
      expect(found.sharedEmails).toEqual(
        expect.arrayContaining([{ email: 'desk@example.test', names: ['eva', 'eve'] }]),
      )
      const { rows } = await at.app.admin.call(ldap.importEntries, {
        params: { id },
        body: [{ dn: dnOf('eva') }, { dn: dnOf('eve') }],
      })
      expect(rows).toMatchObject([
        { result: 'created' },
        { result: 'created', problem: expect.stringMatching(/DESK@example\.test in common with eva/) as string },
      ])
      for (const uid of ['eva', 'eve']) at.slapd.change(`dn: ${dnOf(uid)}\nchangetype: delete\n`)
    })

    test('the password is never returned, and the mask stands for it only if address and account are unchanged', async () => {
      const server = await add()
      expect(server.bindPassword).toBe(mask)
      const { id, users: _, lastCheckedAt: __, problem: ___, ...body } = server
      await at.app.admin.call(ldap.update, { params: { id }, body: { ...body, nicknameAttribute: 'sn' } })
      await at.app.admin.call(ldap.validate, { body: { ...body, id } })
      at.opened = 0
      const moved = [
        { ...body, url: at.slapd.url.replace('127.0.0.1', 'localhost') },
        { ...body, bindDn: `cn=other,${at.slapd.base}` },
      ]
      for (const each of moved) {
        const again = { key: 'ldap-check-failed', problems: [{ path: 'bindPassword', key: 'ldap-password-again' }] }
        await expect(at.app.admin.call(ldap.update, { params: { id }, body: each })).rejects.toMatchObject(again)
        await expect(at.app.admin.call(ldap.validate, { body: { ...each, id } })).rejects.toMatchObject(again)
      }
      expect(at.opened).toBe(0)
    })

    test('a visitor reads only ids and names of enabled directories', async () => {
      const on = await add({ name: 'On' })
      const off = await add({ name: 'Off', enabled: false, url: 'ldap://127.0.0.1:1' })
      const offered = await at.app.anonymous.call(session.ldaps)
      expect(offered).toContainEqual({ ldapId: on.id, ldapName: 'On' })
      expect(offered.map(({ ldapId }) => ldapId)).not.toContain(off.id)
      expect(new Set(offered.flatMap((one) => Object.keys(one)))).toEqual(new Set(['ldapId', 'ldapName']))
    })

    test('a name is unique', async () => {
      await add({ name: 'Once' })
      await expect(add({ name: 'Once' })).rejects.toEqual(refused('ldap-name-taken', 409))
    })
  })

  describe('a directory at fault', () => {
    const silent = silentUrl()

    test('that accepts and never answers is connected to once, until the time limit', async () => {
      await expect(at.app.admin.call(ldap.validate, { body: given({ url: silent() }) })).rejects.toMatchObject({
        problems: [{ path: 'url', key: 'ldap-timeout' }],
      })
      expect(at.opened).toBe(1)
    })

    test('that speaks another protocol (PostgreSQL) is refused', async () => {
      const database = labService('postgres')
      const url = `ldap://${database?.['POSTGRES_HOST']}:${database?.['POSTGRES_PORT']}`
      await expect(at.app.admin.call(ldap.validate, { body: given({ url }) })).rejects.toMatchObject({
        problems: [{ path: 'url', key: expect.stringMatching(/^ldap-(closed|not-ldap)$/) }],
      })
    })

    test('delays neither another directory nor a local sign-in', async () => {
      const hung = await add({ url: at.slapd.url })
      const { id } = await add()
      await at.app.db.updateTable('ldap_server').set({ url: silent() }).where('id', '=', hung.id).execute()
      const waiting = Array.from({ length: 20 }, () => signIn(hung.id, 'ada', 'pass-ada'))
      let over = false
      const all = Promise.allSettled(waiting).then((results) => {
        over = true
        return results
      })
      expect(await signIn(id, 'ada', 'pass-ada')).toMatchObject({ userName: 'ada' })
      await expect(
        at.app.anonymous.call(session.login, { body: { username: 'admin', password: 'wrong' } }),
      ).rejects.toEqual(refused('login-refused'))
      expect(over).toBe(false)
      for (const result of await all)
        expect(result).toMatchObject({ status: 'rejected', reason: { key: 'ldap-login-timeout', status: 503 } })
      const listed = (await at.app.admin.call(ldap.list)).find((server) => server.id === hung.id)
      expect(listed?.problem).toContain('did not answer in time')
      await at.app.admin.call(ldap.remove, { params: { id: hung.id } })
    })

    test('revokes nobody’s access, and its problem is shown', async () => {
      const { id } = await add()
      await signIn(id, 'ada', 'pass-ada')
      await at.slapd.stop()
      try {
        await check()
        expect(await account('ada', id)).toMatchObject({ status: 'normal' })
        await expect(signIn(id, 'ada', 'pass-ada')).rejects.toEqual(refused('ldap-login-down', 503))
        const listed = (await at.app.admin.call(ldap.list)).find((server) => server.id === id)
        expect(listed?.problem).toContain('refuses the connection')
      } finally {
        await at.slapd.start()
      }
      await check()
      expect((await at.app.admin.call(ldap.list)).find((server) => server.id === id)?.problem).toBe('')
    })

    test('counts as broken without any known user', async () => {
      const { id } = await add()
      await signIn(id, 'ada', 'pass-ada')
      await at.app.db.updateTable('ldap_server').set({ user_filter: '(uid=nobody)' }).where('id', '=', id).execute()
      await check()
      expect(await account('ada', id)).toMatchObject({ status: 'normal' })
      expect((await at.app.admin.call(ldap.list)).find((server) => server.id === id)?.problem).not.toBe('')
    })
  })

  describe('search and import', () => {
    test('pages by a cursor, and takes the keyword literally, not as a filter', async () => {
      const { id } = await add()
      const names: string[] = []
      let cursor: string | undefined
      do {
        const page = await at.app.admin.call(ldap.search, {
          params: { id },
          query: { pageSize: 2, ...(cursor !== undefined && { cursor }) },
        })
        names.push(...page.items.map(({ userName }) => userName))
        cursor = page.next ?? undefined
      } while (cursor !== undefined)
      expect(names).toEqual([...names].sort())
      expect(new Set(names).size).toBe(names.length)
      expect(names).toContain('dora')
      const find = (keyword: string) => at.app.admin.call(ldap.search, { params: { id }, query: { keyword } })
      expect((await find('CLEO@')).items.map(({ userName }) => userName)).toEqual(['cleo'])
      for (const keyword of ['*', ')(uid=*', '\\', 'a*a']) expect((await find(keyword)).items).toEqual([])
    })

    test('reports the result of each entry: created, existing, duplicate, outside the base, no DN', async () => {
      const { id } = await add({ mappings: [] })
      const odd = `cn=${String.raw`O\'Neil\, \"Pat\" \2b`},ou=people,${at.slapd.base}`
      at.slapd.change(
        entry(odd.replace(String.raw`\'`, "'"), {
          objectClass: 'inetOrgPerson',
          uid: 'pat',
          sn: 'p',
          cn: `O'Neil, "Pat" +`,
        }),
      )
      const body = [
        { dn: dnOf('cleo') },
        { dn: `UID=cleo, OU=People, ${at.slapd.base}` },
        { dn: odd.replace(String.raw`\'`, "'") },
        { dn: dnOf('gone') },
        { dn: `cn=reader,${at.slapd.base}` },
        { dn: `cn=devs,ou=groups,${at.slapd.base}` },
        { dn: 'not a dn' },
      ]
      const report = await at.app.admin.call(ldap.importEntries, { params: { id }, body })
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
      const again = await at.app.admin.call(ldap.importEntries, { params: { id }, body: body.slice(0, 1) })
      expect(again).toMatchObject({ created: 0, rows: [{ result: 'duplicate', userName: 'cleo' }] })
      expect(
        (await at.app.admin.call(ldap.search, { params: { id }, query: { keyword: 'cleo' } })).items,
      ).toMatchObject([{ userName: 'cleo', imported: true }])
    })
  })

  test('a directory with users is deleted only together with them', async () => {
    const { id } = await add()
    await signIn(id, 'ada', 'pass-ada')
    await expect(at.app.admin.call(ldap.remove, { params: { id } })).rejects.toEqual(refused('ldap-in-use', 409))
    await at.app.admin.call(ldap.remove, { params: { id }, query: { force: 'true' } })
    expect(await account('ada', id)).toBeUndefined()
  })
})
