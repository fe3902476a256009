import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig, readToken, untraversable } from './config.ts'

let home: string
let token: string

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'gantry-config-'))
  token = join(home, 'token')
  writeFileSync(token, 'secret\n', { mode: 0o600 })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const good = (): Record<string, string> => ({
  GANTRY_SERVER_URL: 'http://localhost:8080/',
  GANTRY_AGENT_TOKEN_FILE: token,
  GANTRY_AGENT_DIR: '/var/lib/x',
})

test('unset variables have their defaults', () => {
  expect(readConfig(good())).toMatchObject({
    serverUrl: 'http://localhost:8080',
    capacity: 2,
    labels: [],
    hide: [],
    firstUid: 61_000,
    ca: undefined,
    network: undefined,
    allow: [],
    reach: [],
  })
})

test('reads every variable', () => {
  const env = {
    ...good(),
    GANTRY_AGENT_CAPACITY: '5',
    GANTRY_AGENT_LABELS: 'gpu, big ,',
    GANTRY_DATA: '/var/lib/gantry',
    GANTRY_AGENT_HIDE: '/srv/a:/srv/b',
    GANTRY_AGENT_FIRST_UID: '70000',
    GANTRY_CA_FILE: token,
    GANTRY_AGENT_NETWORK: 'proxy',
    GANTRY_AGENT_BUILD_MEMORY_MB: '1024',
    GANTRY_AGENT_BUILD_PROCESSES: '500',
    GANTRY_AGENT_BUILD_DISK_MB: '2048',
    GANTRY_AGENT_KEPT_WORKSPACES: '0',
    GANTRY_AGENT_KEPT_MB: '512',
    GANTRY_AGENT_KEPT_HOURS: '2',
    GANTRY_AGENT_REACH: '127.0.0.1:5000,127.0.0.1:5001',
    GANTRY_PUBLIC_URL: 'https://gantry.example.com/',
    PATH: '/usr/bin:/srv/product/node_modules/.bin:relative:/bin',
  }
  expect(readConfig(env)).toMatchObject({
    capacity: 5,
    labels: ['gpu', 'big'],
    hide: ['/var/lib/gantry', '/srv/a', '/srv/b'],
    firstUid: 70_000,
    ca: 'secret\n',
    network: 'proxy',
    limits: { memory: 1024 ** 3, processes: 500, disk: 2 * 1024 ** 3 },
    kept: { count: 0, bytes: 512 * 1024 ** 2, ms: 7_200_000 },
    reach: [
      { address: '127.0.0.1', port: 5000 },
      { address: '127.0.0.1', port: 5001 },
    ],
    publicUrl: 'https://gantry.example.com',
    path: '/usr/bin:/bin',
  })
})

test.each([
  ['GANTRY_SERVER_URL', ''],
  ['GANTRY_SERVER_URL', 'ftp://x'],
  ['GANTRY_SERVER_URL', 'http://user:password@x'],
  ['GANTRY_AGENT_DIR', 'relative'],
  ['GANTRY_AGENT_DIR', '/'],
  ['GANTRY_AGENT_CAPACITY', '0'],
  ['GANTRY_AGENT_CAPACITY', 'many'],
  ['GANTRY_AGENT_LABELS', 'gpu,a b'],
  ['GANTRY_AGENT_LABELS', Array.from({ length: 51 }, (_, n) => `l${n}`).join()],
  ['GANTRY_AGENT_FIRST_UID', '0'],
  ['GANTRY_AGENT_HIDE', 'x'],
  ['GANTRY_DATA', 'x'],
  ['GANTRY_CA_FILE', '/no/such/file'],
  ['GANTRY_AGENT_NETWORK', 'bridge'],
  ['GANTRY_AGENT_BUILD_MEMORY_MB', '1'],
  ['GANTRY_AGENT_BUILD_PROCESSES', 'many'],
  ['GANTRY_AGENT_BUILD_DISK_MB', '0'],
  ['GANTRY_AGENT_KEPT_WORKSPACES', '-1'],
  ['GANTRY_AGENT_KEPT_MB', '0'],
  ['GANTRY_AGENT_KEPT_HOURS', '0.5'],
  ['GANTRY_OUTBOUND_ALLOW', '10.0.0.0/40'],
  ['GANTRY_AGENT_REACH', '10.0.0.1:80'],
  ['GANTRY_AGENT_REACH', '127.0.0.1'],
  ['GANTRY_AGENT_REACH', '127.0.0.1:99999'],
  ['GANTRY_PUBLIC_URL', 'gantry'],
])('%s=%s is refused with one line that names it', (name, value) => {
  const read = (): unknown => readConfig({ ...good(), [name]: value })
  expect(read).toThrow(new RegExp(`^${name}[^\n]*$`))
})

test('the credential must be one word in a file that only its owner may read', () => {
  expect(readToken(token)).toBe('secret')
  chmodSync(token, 0o640)
  expect(() => readToken(token)).toThrow(/^GANTRY_AGENT_TOKEN_FILE: others may read .* chmod 600/)
  chmodSync(token, 0o600)
  writeFileSync(token, '\n')
  expect(() => readToken(token)).toThrow(/holds no credential/)
})

test('finds the folder of a path that others may not enter', () => {
  mkdirSync(join(home, 'open/closed/in'), { recursive: true })
  chmodSync(home, 0o755)
  chmodSync(join(home, 'open/closed'), 0o700)
  expect(untraversable(join(home, 'open/closed/in/there'))).toBe(join(home, 'open/closed'))
  expect(untraversable(join(home, 'open/not/there'))).toBe(null)
})
