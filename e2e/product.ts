import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { session } from '@gantry/contract/auth/session'
import { teams } from '@gantry/contract/teams/teams'
import { users } from '@gantry/contract/users/users'
import { eventually } from '@gantry/waiting/eventually'
import { patient } from './builds.ts'
import { type Caller, caller } from './caller.ts'
import { endLeftNetworks } from '../apps/agent/test/left-networks.ts'
import { choosePort } from '../apps/launcher/src/ports.ts'

const root = resolve(import.meta.dirname, '..')

export type PartName = 'server' | 'agent' | 'sandbox' | 'postgres'

/** The address and data folder of a product. */
export interface ProductPlace {
  url: string
  data: string
}

/** A running product, as its users see it. */
export interface OpenProduct extends ProductPlace {
  /** The administrator, whose initial password was changed. */
  admin: Caller
  /** Signs in a user who has a password already. */
  signIn: (username: string, password: string) => Promise<Caller>
}

/** The whole product as `npm start` runs it, with its own data folder and port. */
export interface Product extends OpenProduct {
  /** The present process of this part. */
  pid: (part: PartName) => number
  /** Kills a part without notice, as a power cut or the kernel would. */
  kill: (part: PartName) => void
  /** The output of the product and its parts. */
  said: () => string
  /** Resolves with the launcher's exit code, after the data folder is deleted. */
  stop: () => Promise<number | null>
}

export const password = 'Str0ng-pass-9x'

/** The product after its first start, before anybody has signed in. */
export interface Fresh extends Pick<Product, 'url' | 'data' | 'said' | 'stop'> {
  /** The administrator's first password. */
  initialPassword: string
}

/** The launcher alone, or `npm start`, which first builds the console if it has changed. */
export type Command = 'launcher' | 'npm start'

/** Starts the product with these variables; resolves once it answers. */
export async function startFresh(env: Record<string, string> = {}, command: Command = 'launcher'): Promise<Fresh> {
  const port = await choosePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  // not created here: PostgreSQL, which runs as another user, must reach it, and the launcher takes care of that
  const data = join(tmpdir(), `gantry-e2e-${randomBytes(4).toString('hex')}`)
  const [program, args] =
    command === 'npm start' ? ['npm', ['start']] : [process.execPath, [join(root, 'apps/launcher/src/start.ts')]]
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/gantry'),
      GANTRY_DATA: data,
      GANTRY_PORT: String(port),
      GANTRY_RATE_LIMIT: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  let over = false
  void ended.then(() => (over = true))

  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    const code = await ended
    endLeftNetworks(join(data, 'agent'))
    await rm(data, { recursive: true, force: true, maxRetries: 5 })
    return code
  }

  try {
    await eventually(
      () => answers(url),
      (ready) => ready || over,
      // Before the start, npm may build the console.
      { ms: command === 'npm start' ? 300_000 : patient.ms },
    )
    if (over) throw new Error('the product ended while it started')
    const initialPassword = readFileSync(join(data, 'admin-password'), 'utf8').trim()
    return { url, data, initialPassword, stop, said: () => text }
  } catch (error) {
    await stop()
    // The port was free when it was chosen, but has been taken since.
    if (/Port \d+ on \S+ is taken/.test(text)) return startFresh(env, command)
    throw new Error(`${String(error)}, and had said:\n${text}`, { cause: error })
  }
}

/** Starts the product with these variables; resolves once it answers and its administrator is signed in. */
export async function startProduct(env: Record<string, string> = {}, command: Command = 'launcher'): Promise<Product> {
  const { url, data, initialPassword, stop, said } = await startFresh(env, command)
  const pid = (part: PartName): number =>
    part === 'postgres'
      ? Number(readFileSync(join(data, 'postgres/18/postmaster.pid'), 'utf8').split('\n')[0])
      : (JSON.parse(readFileSync(join(data, 'run', `${part}.json`), 'utf8')) as { pid: number }).pid

  try {
    await changePassword(await signIn(url, 'admin', initialPassword), initialPassword)
    return {
      ...(await openProduct({ url, data })),
      pid,
      stop,
      kill: (part) => process.kill(pid(part), 'SIGKILL'),
      said,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    (response) => response.ok,
    () => false,
  )

/** Logs in; the initial password cannot be used. */
export async function signIn(url: string, username: string, given: string): Promise<Caller> {
  const { token, id, teams } = await caller(url).call(session.login, { body: { username, password: given } })
  return { ...caller(url, token), id, teams }
}

/** Signs in as administrator of a product that `startProduct` has started, here or in another process. */
export const openProduct = async ({ url, data }: ProductPlace): Promise<OpenProduct> => ({
  url,
  data,
  admin: await signIn(url, 'admin', password),
  signIn: (username, given) => signIn(url, username, given),
})

/** As the wizard of the first login does; ends the session. */
export const changePassword = (user: Caller, oldPassword: string) =>
  user.call(users.update, { params: { id: user.id }, body: { oldPassword, password, rePassword: password } })

/** Creates a user who leads the team, or has a role in it (none: may only view), and signs in with a new password. */
export async function newUser(
  { admin, url }: OpenProduct,
  userName: string,
  { teamId, roleId }: { teamId: number; roleId?: number | 'leader' },
): Promise<Caller> {
  const made = await admin.call(users.create, {
    body: { userName, nickname: userName, email: `${userName}@example.org` },
  })
  await admin.call(teams.addMembers, { params: { id: teamId }, body: [made.id] })
  if (roleId !== undefined)
    await admin.call(teams.assignRole, {
      params: { id: teamId, userId: made.id },
      body: roleId === 'leader' ? leaderRole : roleId,
    })
  await changePassword(await signIn(url, userName, made.initialPassword), made.initialPassword)
  return signIn(url, userName, password)
}

const leaderRole = 0
