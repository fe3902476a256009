import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Environment, readConfig } from './config.ts'
import { StartError } from './kernel/fault.ts'

const folder = mkdtempSync(join(tmpdir(), 'gantry-config-'))
afterAll(() => rmSync(folder, { recursive: true }))
const good = { DATABASE_URL: 'postgresql:///x?host=/tmp', GANTRY_DATA: join(folder, 'data') }
const read = (more: Environment = {}) => readConfig({ ...good, ...more })

test('an empty environment yields the default of every variable', () => {
  expect(read()).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    sandbox: true,
    embeddedAgent: true,
    embeddedCapacity: 2,
    registration: false,
    rateLimit: true,
    trustedProxies: [],
  })
  expect(read({ GANTRY_HOST: '0.0.0.0' }).embeddedAgent).toBe(false)
  expect(read({ GANTRY_PORT: '' }).port).toBe(8080)
})

test.for([
  ['GANTRY_PORT', 'eighty'],
  ['GANTRY_PORT', '65536'],
  ['GANTRY_HOST', 'not a host'],
  ['GANTRY_SANDBOX', 'yes'],
  ['GANTRY_EMBEDDED_AGENT', '1'],
  ['GANTRY_AGENT_CAPACITY', '0'],
  ['GANTRY_AGENT_CAPACITY', '101'],
  ['GANTRY_REGISTRATION', 'true'],
  ['GANTRY_RATE_LIMIT', 'ON'],
  ['GANTRY_BUILD_ARTIFACTS_GB', '0'],
  ['GANTRY_BUILD_ARTIFACTS_GB', '2.5'],
  ['GANTRY_PUBLIC_URL', 'gantry.example'],
  ['GANTRY_PUBLIC_URL', 'ftp://gantry.example'],
  ['GANTRY_OUTBOUND_ALLOW', '10.0.0.0/40'],
  ['GANTRY_OUTBOUND_PROXY', 'proxy:3128'],
  ['GANTRY_CA_FILE', '/no/such/file'],
  ['GANTRY_TRUSTED_PROXIES', 'all'],
  ['GANTRY_TLS_CERT', '/no/such/file'],
  ['GANTRY_LOG_LEVEL', 'loud'],
  ['GANTRY_LICENSE_KEY', 'a key'],
  ['GANTRY_SECRET_KEY', 'short'],
  ['GANTRY_DATA', '/dev/null/data'],
  ['GANTRY_S3_ENDPOINT', 's3.example'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_URL', ''],
] as const)('%s=%s stops the start with one line that names it', ([name, value]) => {
  const refused = () => read({ [name]: value })
  expect(refused).toThrow(StartError)
  expect(refused).toThrow(new RegExp(`^${name} [^\\n]*$`))
})

test('an error about one of two variables that belong together names the missing one', () => {
  const file = join(folder, 'cert.pem')
  writeFileSync(file, '')
  expect(() => read({ GANTRY_TLS_CERT: file })).toThrow(/^GANTRY_TLS_KEY is missing/)
  expect(() => read({ GANTRY_S3_ENDPOINT: 'https://s3.example' })).toThrow(/^GANTRY_S3_BUCKET is missing/)
  expect(() => read({ GANTRY_SANDBOX_REGISTRY: 'http://127.0.0.1:1' })).toThrow(
    /^GANTRY_SANDBOX_REGISTRY_KEY_FILE is missing/,
  )
})

test('an invalid value creates no folder', () => {
  const data = join(folder, 'never')
  expect(() => readConfig({ ...good, GANTRY_DATA: data, GANTRY_PORT: 'x' })).toThrow('GANTRY_PORT')
  expect(readdirSync(folder)).not.toContain('never')
})

test('without GANTRY_SECRET_KEY a key is generated, stored readable for its owner only, and used by the next start', () => {
  const [first, second] = [read(), read()]
  expect(second.secretKeys).toEqual(first.secretKeys)
  expect(statSync(join(first.data, 'secret-key')).mode & 0o777).toBe(0o600)
  expect(read({ GANTRY_SECRET_KEY: 'the new key of sixteen, the old key of sixteen' }).secretKeys).toEqual([
    'the new key of sixteen',
    'the old key of sixteen',
  ])
})

test.skipIf(process.platform === 'win32')('a key that could not be written completely leaves no file behind', () => {
  const data = join(folder, 'full')
  const program = `import { readConfig } from ${JSON.stringify(join(import.meta.dirname, 'config.ts'))}; readConfig()`
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -f 0; exec "$0" --input-type=module -e "$1"', process.execPath, program],
    { env: { ...good, GANTRY_DATA: data }, encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([1, expect.stringContaining('EFBIG')])
  expect(readdirSync(data)).toEqual([])
  expect(readConfig({ ...good, GANTRY_DATA: data }).secretKeys).toHaveLength(1)
})
