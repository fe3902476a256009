import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSettings, type Variables } from './settings.ts'

const here = join(import.meta.dirname, 'settings.ts')

describe('a bad variable is refused with a line that names it', () => {
  test.each<[string, Variables]>([
    ['GANTRY_PORT', { GANTRY_PORT: 'http' }],
    ['GANTRY_PORT', { GANTRY_PORT: '0' }],
    ['GANTRY_PORT', { GANTRY_PORT: '65536' }],
    ['GANTRY_PORT', { GANTRY_PORT: '80.5' }],
    ['GANTRY_PORT', { GANTRY_PORT: '0x50' }],
    ['GANTRY_HOST', { GANTRY_HOST: 'example.com' }],
    ['GANTRY_HOST', { GANTRY_HOST: '127.0.0.1:80' }],
    ['GANTRY_SERVERS', { GANTRY_SERVERS: '0' }],
    ['GANTRY_SERVERS', { GANTRY_SERVERS: '65' }],
    ['GANTRY_SERVERS', { GANTRY_SERVERS: 'all' }],
    ['GANTRY_SANDBOX', { GANTRY_SANDBOX: 'true' }],
    ['GANTRY_EMBEDDED_AGENT', { GANTRY_EMBEDDED_AGENT: 'no' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://localhost/gantry' }],
    ['DATABASE_URL', { DATABASE_URL: 'localhost' }],
    ['GANTRY_PUBLIC_URL', { GANTRY_PUBLIC_URL: 'gantry.example.com' }],
    ['GANTRY_PUBLIC_URL', { GANTRY_PUBLIC_URL: 'javascript:alert(1)' }],
    ['GANTRY_TLS_KEY', { GANTRY_TLS_CERT: here }],
    ['GANTRY_TLS_CERT', { GANTRY_TLS_KEY: here }],
    ['GANTRY_TLS_CERT', { GANTRY_TLS_CERT: `${here}.missing`, GANTRY_TLS_KEY: here }],
  ])('%s %o', (name, env) => {
    expect(() => readSettings(env)).toThrow(new RegExp(`^${name} [^\\n]+\\.$`))
  })
})

test('a password in DATABASE_URL is not repeated', () => {
  expect(() => readSettings({ DATABASE_URL: 'mysql://user:hidden@localhost/gantry' })).not.toThrow(/hidden/)
})

test('an empty variable counts as absent', () => {
  const empty = { GANTRY_PORT: '', GANTRY_HOST: '', GANTRY_DATA: '', GANTRY_SANDBOX: '', DATABASE_URL: '' }
  expect(readSettings(empty)).toEqual(readSettings({}))
})

describe('the addresses of the product', () => {
  test.each<[Variables, string, boolean]>([
    [{}, 'http://127.0.0.1:8080', true],
    [{ GANTRY_HOST: '0.0.0.0', GANTRY_PORT: '9000' }, 'http://127.0.0.1:9000', false],
    [{ GANTRY_HOST: '::1' }, 'http://[::1]:8080', true],
    [{ GANTRY_HOST: '10.1.2.3' }, 'http://10.1.2.3:8080', false],
    [{ GANTRY_TLS_CERT: here, GANTRY_TLS_KEY: here }, 'https://127.0.0.1:8080', true],
  ])('%o', (env, localUrl, agent) => {
    expect(readSettings(env)).toMatchObject({ localUrl, publicUrl: localUrl, agent })
  })

  test('have a public one for others', () => {
    expect(readSettings({ GANTRY_PUBLIC_URL: 'https://gantry.example.com' })).toMatchObject({
      publicUrl: 'https://gantry.example.com',
      localUrl: 'http://127.0.0.1:8080',
    })
  })

  test.each([
    'postgresql://user:word@db/gantry',
    'postgres://user@/gantry?host=/run/postgresql',
    'postgresql:///gantry',
  ])('accepts the database %s', (url) => expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url))
})
