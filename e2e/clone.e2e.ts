import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { choosePort } from '../apps/launcher/src/ports.ts'

/**
 * The first steps with this repository: a clone, the dependencies without their install scripts, `npm start`. As root
 * in a folder that only root may enter, and as an ordinary user.
 */

const root = resolve(import.meta.dirname, '..')
const isRoot = process.getuid?.() === 0
/** On Debian and most other systems: the user without files. */
const nobody = { uid: 65_534, gid: 65_534 }

let base = ''
let clone = ''
/** Why the product cannot be started. */
let missing: string | undefined

/** npm's errors when it cannot reach its registry. */
const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/

beforeAll(() => {
  if (!existsSync(join(root, '.git'))) {
    missing = 'this is no git repository'
    return
  }
  base = mkdtempSync(join(tmpdir(), 'gantry-clone-'))
  clone = join(base, 'gantry')
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${root}`, clone])
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr } = spawnSync('npm', args, { cwd: clone, encoding: 'utf8', timeout: 240_000 })
  if (offline.test(stderr)) missing = 'no npm registry is reached, and npm keeps no copy of the dependencies'
  else if (status !== 0) throw new Error(`npm ci: ${stderr}`)
}, 300_000)

afterAll(() => {
  if (base !== '') rmSync(base, { recursive: true, force: true, maxRetries: 5 })
})

interface GitOptions {
  uid?: number
  gid?: number
  env: Record<string, string>
}

/** Starts the clone, loads its login page as a browser does first, and ends it. */
async function startAndLook({ skip }: TestContext, { uid, gid, env }: GitOptions): Promise<void> {
  if (missing !== undefined) skip(missing)
  const port = await choosePort('127.0.0.1')
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { PATH: process.env['PATH'], npm_config_ignore_scripts: 'true', GANTRY_PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  let over = false
  void ended.then(() => (over = true))
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
  try {
    await eventually(
      () => get('/readyz'),
      (answer) => answer?.ok === true || over,
      { ms: 150_000 },
    ).catch((cause: unknown) => {
      throw new Error(`It does not answer, and has said:\n${said}`, { cause })
    })
    if (over) throw new Error(`it ended while it started:\n${said}`)
    const page = await get('/login')
    expect(page?.status).toBe(200)
    expect(page?.headers.get('content-type')).toContain('text/html')
    const script = /<script[^>]+src="([^"]+)"/.exec((await page?.text()) ?? '')?.[1] ?? ''
    const code = await get(script)
    expect([code?.status, code?.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')])
    // The launcher prints that after it has found out itself.
    await eventually(
      () => said,
      (text) => text.includes(`http://127.0.0.1:${port}`),
    )
  } finally {
    child.kill('SIGTERM')
  }
  expect(await ended).toBe(0)
}

const limit = 180_000

test.skipIf(!isRoot)(
  'as root, in a folder that only root may enter (needs root)',
  { timeout: limit },
  async (context) => {
    await startAndLook(context, { env: { HOME: join(base, 'home'), GANTRY_DATA: join(base, 'data') } })
  },
)

test('as an ordinary user, into the data folder of that user', { timeout: limit }, async (context) => {
  const home = join(base, 'person')
  if (missing === undefined) {
    mkdirSync(home)
    if (isRoot) {
      chmodSync(base, 0o711)
      execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, clone, home])
    }
  }
  await startAndLook(context, { ...(isRoot ? nobody : {}), env: { HOME: home } })
  const data = join(home, '.local/share/gantry')
  expect(readdirSync(data)).toEqual(expect.arrayContaining(['admin-password', 'postgres', 'run']))
})
