import { createServer, type Server } from 'node:net'
import { session } from '@gantry/contract/auth/session'
import { ldap } from '@gantry/contract/ldap/ldap'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { createLdap, type Ldap } from '../src/adapters/ldap/ldap.ts'
import { createOutbound } from '../src/adapters/outbound/outbound.ts'
import { jobs } from '../src/domains/ldap/check.jobs.ts'
import { group, person, type Slapd, startSlapd } from './slapd.ts'
import { testApp, type TestApp } from './test-app.ts'

type Team = Awaited<ReturnType<TestApp['team']>>

export const refused = (key: string, status = 400) => expect.objectContaining({ key, status })

/**
 * A server and a real directory for the tests of one block: users ada, ben, cleo and dora, groups devs (ada, ben) and
 * leads (ada), and two entries with the user name `twin`.
 */
export function useDirectory() {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const real = createLdap(outbound)
  let made = 0
  const at = {
    // set before the tests run
    slapd: undefined as unknown as Slapd,
    app: undefined as unknown as TestApp,
    team: undefined as unknown as Team,
    /** DNs that were bound, and the number of connections, during the current test */
    binds: [] as string[],
    opened: 0,
    dnOf: (uid: string): string => `uid=${uid},ou=people,${at.slapd.base}`,
    given: (more: object = {}) => ({
      name: 'Company',
      url: at.slapd.url,
      bindDn: `cn=reader,${at.slapd.base}`,
      bindPassword: 'reader-secret',
      baseDn: `ou=people,${at.slapd.base}`,
      groupBaseDn: `ou=groups,${at.slapd.base}`,
      mappings: [{ group: `CN=devs, OU=groups, ${at.slapd.base}`, teamId: at.team.id, roleId: null }],
      ...more,
    }),
    /** Adds the directory under another name. */
    add: (more: object = {}) =>
      at.app.admin.call(ldap.create, { body: at.given({ name: `Company ${++made}`, ...more }) }),
    signIn: (ldapId: number, username: string, password: string) =>
      at.app.anonymous.call(session.login, { body: { username, password, ldapId, type: 'LDAP' } }),
    /** Runs the jobs of every minute. */
    check: async () => {
      for (const one of jobs.filter(({ every }) => every !== undefined)) await one.run(at.app.ctx(), {})
      await at.app.drainJobs()
    },
    account: (name: string, ldapId: number) =>
      at.app.db
        .selectFrom('account')
        .selectAll()
        .where('user_name', '=', name)
        .where('provider', '=', String(ldapId))
        .executeTakeFirst(),
  }
  const port: Ldap = {
    async open(target, options) {
      at.opened += 1
      const directory = await real.open(target, options)
      return {
        ...directory,
        bind: (dn, password) => {
          at.binds.push(dn)
          return directory.bind(dn, password)
        },
      }
    },
  }
  beforeAll(async () => {
    at.slapd = await startSlapd()
    at.slapd.change(['ada', 'ben', 'cleo', 'dora'].map((uid) => person(uid)).join('\n'))
    at.slapd.change([person('twin'), person('other', { uid: ['other', 'twin'] })].join('\n'))
    at.slapd.change([group('devs', ['ada', 'ben']), group('leads', ['ada'])].join('\n'))
    at.app = await testApp({ ports: { ldap: port } })
    at.team = await at.app.team('harbour')
  })
  afterAll(async () => {
    await Promise.all([at.slapd.end(), outbound.close()])
  })
  beforeEach(() => {
    at.binds.length = 0
    at.opened = 0
  })
  return at
}

/** Address of a server that accepts connections and never answers. */
export function silentUrl(): () => string {
  let server: Server
  beforeAll(async () => {
    server = createServer(() => undefined).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
  })
  afterAll(() => void server.close())
  return () => {
    const address = server.address()
    return `ldap://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  }
}
