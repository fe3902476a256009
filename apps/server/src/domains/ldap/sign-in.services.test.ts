import { describe, expect, test } from 'vitest'
import { session } from '@gantry/contract/auth/session'
import { ldap } from '@gantry/contract/ldap/ldap'
import { users } from '@gantry/contract/users/users'
import { refused, useDirectory } from '../../../test/directory.ts'
import { person, slapdThere } from '../../../test/slapd.ts'

describe.skipIf(!slapdThere())('users of a real directory (needs the lab’s ldap)', () => {
  const at = useDirectory()
  const { account, add, binds, check, dnOf, given, signIn } = at

  describe('signing in', () => {
    test('creates the account and its teams, and recognizes the user after renaming', async () => {
      const { id } = await add()
      const first = await signIn(id, 'ada', 'pass-ada')
      expect(first).toMatchObject({ userName: 'ada', nickname: 'User ada', type: 'LDAP', admin: false })
      expect(first.teams.map(({ name }) => name)).toEqual(['harbour'])
      at.slapd.change(`dn: ${dnOf('ada')}\nchangetype: modrdn\nnewrdn: uid=ada2\ndeleteoldrdn: 1\n`)
      const devs = (uid: string) =>
        at.slapd.change(
          `dn: cn=devs,ou=groups,${at.slapd.base}\nchangetype: modify\nadd: member\nmember: ${dnOf(uid)}\n`,
        )
      devs('ada2')
      try {
        const again = await signIn(id, 'ada2', 'pass-ada')
        expect(again).toMatchObject({ id: first.id, userName: 'ada2' })
      } finally {
        at.slapd.change(`dn: ${dnOf('ada2')}\nchangetype: modrdn\nnewrdn: uid=ada\ndeleteoldrdn: 1\n`)
      }
    })

    test('the user name is only a value, never a part of the filter', async () => {
      const { id } = await add()
      for (const name of ['*', 'a*', '*)(uid=*', '*)(objectClass=*))(|(uid=*', String.raw`\2a`, 'ada)(cn=*', '(', ')'])
        await expect(signIn(id, name, 'pass-ada')).rejects.toEqual(refused('login-refused'))
      await expect(signIn(id, 'ad\0a', 'pass-ada')).rejects.toMatchObject({ status: 400 })
      await expect(signIn(id, 'x'.repeat(1_000_000), 'pass-ada')).rejects.toMatchObject({ status: 413 })
    })

    test('an empty or blank password is refused without connecting', async () => {
      const { id } = await add()
      at.opened = 0
      for (const password of ['', ' ', '\t \n', '\0', 'pass-ada\0'])
        await expect(signIn(id, 'ada', password)).rejects.toMatchObject({ status: 400 })
      expect(at.opened).toBe(0)
    })

    test('a local user name with the type LDAP never reaches the local account', async () => {
      const { id } = await add()
      at.slapd.change(person('admin'))
      const done = signIn(id, 'admin', 'pass-admin')
      // no group of the entry maps to a team
      await expect(done).rejects.toEqual(refused('user-Unknown-team'))
      // but the account exists, so an administrator can add it to one
      const kept = await account('admin', id)
      expect(kept).toMatchObject({ type: 'LDAP', status: 'normal', admin: false })
      expect(kept?.id).not.toBe(at.app.admin.id)
      at.slapd.change(`dn: ${dnOf('admin')}\nchangetype: delete\n`)
    })

    test('an unknown name and a wrong password get the same answer at the same cost', async () => {
      const { id } = await add()
      const bodies: unknown[] = []
      const counts: number[] = []
      for (const name of ['nobody', 'ada', 'twin']) {
        binds.length = 0
        const { body } = await at.app.anonymous.request(session.login, {
          body: { username: name, password: 'wrong', ldapId: id, type: 'LDAP' },
        })
        bodies.push(JSON.parse(body))
        counts.push(binds.length)
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
      expect(counts).toEqual([2, 2, 2])
    })

    test('wrong passwords are counted on the account, until it is locked', async () => {
      const { id } = await add()
      await signIn(id, 'ben', 'pass-ben')
      await Promise.allSettled(Array.from({ length: 5 }, () => signIn(id, 'BEN', 'wrong')))
      expect(await account('ben', id)).toMatchObject({ wrong_passwords: 5, status: 'locked' })
      await expect(signIn(id, 'ben', 'pass-ben')).rejects.toEqual(refused('login-locked'))
    })

    test('two entries with the same name are refused', async () => {
      const { id } = await add()
      await expect(signIn(id, 'twin', 'pass-twin')).rejects.toEqual(refused('login-refused'))
      expect(await account('twin', id)).toBeUndefined()
    })

    test('without creation at sign-in, only imported users get in', async () => {
      const { id } = await add({ createAtLogin: false })
      await expect(signIn(id, 'ada', 'pass-ada')).rejects.toEqual(refused('login-not-imported', 403))
      await at.app.admin.call(ldap.importEntries, { params: { id }, body: [{ dn: dnOf('ada') }] })
      expect(await signIn(id, 'ada', 'pass-ada')).toMatchObject({ userName: 'ada' })
    })

    test('a disabled or unknown directory is refused', async () => {
      const { id } = await add({ enabled: false })
      await expect(signIn(id, 'ada', 'pass-ada')).rejects.toEqual(refused('ldap-off'))
      await expect(signIn(999_999, 'ada', 'pass-ada')).rejects.toEqual(refused('ldap-off'))
    })

    test('role 0 makes leaders, and memberships follow the group', async () => {
      const { id } = await add({
        mappings: [
          { group: `cn=devs,ou=groups,${at.slapd.base}`, teamId: at.team.id, roleId: null },
          { group: `cn=leads,ou=groups,${at.slapd.base}`, teamId: at.team.id, roleId: 0 },
        ],
      })
      expect((await signIn(id, 'ada', 'pass-ada')).teams).toMatchObject([{ id: at.team.id, teamLeader: true }])
      const leads = `cn=leads,ou=groups,${at.slapd.base}`
      at.slapd.change(`dn: ${leads}\nchangetype: modify\nreplace: member\nmember: ${dnOf('dora')}\n`)
      await check()
      const member = () =>
        at.app.db
          .selectFrom('team_member')
          .innerJoin('account', 'account.id', 'team_member.account_id')
          .select('team_member.leader')
          .where('account.user_name', '=', 'ada')
          .where('account.provider', '=', String(id))
          .executeTakeFirst()
      expect(await member()).toEqual({ leader: false })
      at.slapd.change(`dn: ${leads}\nchangetype: modify\nreplace: member\nmember: ${dnOf('ada')}\n`)
      await check()
      expect(await member()).toEqual({ leader: true })
    })
  })

  describe('the check every minute', () => {
    const rows = (action: string) =>
      at.app.db
        .selectFrom('audit_log')
        .select(['object', 'message'])
        .where('action', '=', action)
        .orderBy('id', 'desc')
        .execute()

    test('revokes sessions and access of users who are gone, and restores those who are back', async () => {
      const { id } = await add()
      at.slapd.change(
        [
          person('eve'),
          `dn: cn=devs,ou=groups,${at.slapd.base}\nchangetype: modify\nadd: member\nmember: ${dnOf('eve')}\n`,
        ].join('\n'),
      )
      const { token, id: userId } = await signIn(id, 'eve', 'pass-eve')
      const eve = at.app.caller({ kind: 'user', id: userId, name: 'eve', admin: false }, token)
      await eve.call(users.get, { params: { id: userId } })
      at.slapd.change(
        `dn: ${dnOf('eve')}\nchangetype: modify\nreplace: objectClass\nobjectClass: inetOrgPerson\n-\nreplace: title\ntitle: left\n`,
      )
      const narrowed = { userFilter: '(&(objectClass=person)(!(title=left)))' }
      await at.app.admin.call(ldap.update, { params: { id }, body: given({ name: 'narrowed', ...narrowed }) })
      await check()
      expect(await account('eve', id)).toMatchObject({ status: 'disabled' })
      await expect(eve.call(users.get, { params: { id: userId } })).rejects.toMatchObject({ status: 401 })
      expect((await rows('ldap.bar'))[0]).toMatchObject({ object: 'eve', message: 'ldap-barred-gone' })
      at.slapd.change(`dn: ${dnOf('eve')}\nchangetype: modify\ndelete: title\n`)
      await check()
      expect(await account('eve', id)).toMatchObject({ status: 'normal' })
      expect((await rows('ldap.unbar'))[0]).toMatchObject({ object: 'eve' })
    })

    test('does not lift a ban by hand', async () => {
      const { id } = await add()
      const { id: userId } = await signIn(id, 'ada', 'pass-ada')
      await at.app.admin.call(users.approve, { params: { id: userId }, query: { enable: 'false' } })
      await check()
      expect(await account('ada', id)).toMatchObject({ status: 'disabled' })
    })

    test('disables an entry that is locked for ever, but not one locked after wrong passwords', async () => {
      const { id } = await add()
      await signIn(id, 'ada', 'pass-ada')
      const lock = (value: string) =>
        at.slapd.change(
          `dn: ${dnOf('ada')}\nchangetype: modify\nreplace: pwdAccountLockedTime\npwdAccountLockedTime: ${value}\n`,
        )
      lock('20260101000000Z')
      await check()
      expect(await account('ada', id)).toMatchObject({ status: 'normal' })
      lock('000001010000Z')
      await check()
      expect(await account('ada', id)).toMatchObject({ status: 'disabled' })
      at.slapd.change(`dn: ${dnOf('ada')}\nchangetype: modify\ndelete: pwdAccountLockedTime\n`)
      // signing in checks the entry too
      expect(await signIn(id, 'ada', 'pass-ada')).toMatchObject({ userName: 'ada' })
    })

    test('disables the users of a disabled directory, and restores them when it is enabled', async () => {
      const { id, name } = await add()
      const { token, id: userId } = await signIn(id, 'ada', 'pass-ada')
      const ada = at.app.caller({ kind: 'user', id: userId, name: 'ada', admin: false }, token)
      const body = given({ name })
      await at.app.admin.call(ldap.update, { params: { id }, body: { ...body, enabled: false } })
      await check()
      await expect(ada.call(users.get, { params: { id: userId } })).rejects.toMatchObject({ status: 401 })
      await at.app.admin.call(ldap.update, { params: { id }, body })
      await check()
      expect(await account('ada', id)).toMatchObject({ status: 'normal' })
    })

    test('finds a moved entry by its identifier, as the same user', async () => {
      const { id } = await add()
      const { id: userId } = await signIn(id, 'ada', 'pass-ada')
      at.slapd.change(`dn: ${dnOf('ada')}\nchangetype: modrdn\nnewrdn: uid=moved\ndeleteoldrdn: 1\n`)
      try {
        await check()
        expect(await account('moved', id)).toMatchObject({ id: userId, status: 'normal' })
        // another entry in the old place is another user
        at.slapd.change(person('ada'))
        await check()
        expect(await account('moved', id)).toMatchObject({ id: userId, status: 'normal' })
      } finally {
        at.slapd.change(`dn: ${dnOf('ada')}\nchangetype: delete\n`)
        at.slapd.change(`dn: ${dnOf('moved')}\nchangetype: modrdn\nnewrdn: uid=ada\ndeleteoldrdn: 1\n`)
      }
    })

    test('updates names', async () => {
      const { id } = await add()
      await signIn(id, 'ada', 'pass-ada')
      at.slapd.change(`dn: ${dnOf('ada')}\nchangetype: modify\nreplace: cn\ncn: Ada L.\n`)
      await check()
      expect(await account('ada', id)).toMatchObject({ nickname: 'Ada L.' })
      at.slapd.change(`dn: ${dnOf('ada')}\nchangetype: modify\nreplace: cn\ncn: User ada\n`)
    })
  })
})
