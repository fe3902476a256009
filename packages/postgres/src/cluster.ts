import { spawn, type SpawnOptions } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { prepareBinaries } from './binaries.ts'
import { PostgresRefusal } from './refusal.ts'
import { canEnter, serviceUser, type ServiceUser } from './service-user.ts'

export const majorVersion = 18
const role = 'gantry'

/** The kernel's limit for a socket's path, including the closing zero byte: 108 on Linux, 104 on macOS. */
const longestSocketPath = 103

/**
 * durable: a confirmed commit survives a power cut. fast: for tests; a crash of the machine may destroy the cluster.
 */
export type Durability = 'durable' | 'fast'

/** A data folder that is ready, and how to start its server. */
export type Cluster = {
  data: string
  command: string
  args: string[]
  /** Opens the files that the child inherits, calls `opened` to spawn it, and closes them again. */
  spawnWith: <T>(stdio: [Stdio, Stdio, Stdio], opened: (options: SpawnOptions) => T) => T
  /** A connection URL for `pg`. Its role owns the databases and may create more, but is not a superuser. */
  url: (database: string) => string
}

type Stdio = 'ignore' | 'pipe' | 'inherit' | number

const settings: Record<Durability, string[]> = {
  durable: ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'max_connections=100', 'shared_buffers=64MB'],
  fast: [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'autovacuum=off',
    'max_connections=200',
    'shared_buffers=128MB',
  ],
}

const common = [
  'timezone=UTC',
  'log_timezone=UTC',
  // Worker processes for asynchronous reads and replication cost memory and are of no use on a single machine.
  'io_method=sync',
  'max_logical_replication_workers=0',
  'wal_level=minimal',
  'max_wal_senders=0',
  'log_checkpoints=off',
  'update_process_title=off',
]

const freePort = async (): Promise<number> =>
  await new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/**
 * The service user cannot open a path below a private folder, even if the folder itself is open; it can use an
 * inherited file descriptor. Linux shows inherited folders as paths.
 */
const inheritedFd = 3
const inheritedPath = `/proc/self/fd/${inheritedFd}`

const reach = (data: string, user: ServiceUser | undefined) => {
  const direct = canEnter(data, user)
  if (!direct && process.platform !== 'linux')
    throw new PostgresRefusal(
      `The user "daemon", who runs PostgreSQL, cannot reach ${data}: choose another GANTRY_DATA.`,
    )
  const environment = process.platform === 'win32' ? process.env : { LC_ALL: 'C', TZ: 'UTC' }
  const spawnWith: Cluster['spawnWith'] = (stdio, opened) => {
    const fd = direct ? undefined : openSync(data, 'r')
    try {
      return opened({
        ...user,
        cwd: direct ? data : '/',
        env: environment,
        stdio: fd === undefined ? stdio : [...stdio, fd],
        windowsHide: true,
      })
    } finally {
      if (fd !== undefined) closeSync(fd)
    }
  }
  return { path: direct ? data : inheritedPath, spawnWith }
}

const run = async (command: string, args: string[], spawnWith: Cluster['spawnWith'], input = ''): Promise<void> => {
  const child = spawnWith(['pipe', 'pipe', 'pipe'], (options) => spawn(command, args, options))
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // The single-user server exits with 0 even after a failed statement.
  if (code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(output))
    throw new PostgresRefusal(
      `PostgreSQL could not be set up (${command}): ${output.trim().split('\n').slice(-3).join(' ')}`,
    )
}

const accessRules = `# Written once by Gantry. Only its own role may connect, only from this machine.
${process.platform === 'win32' ? '' : `local all ${role} scram-sha-256\n`}host all ${role} 127.0.0.1/32 scram-sha-256
`

/** Creates the data folder beside its final place and renames it, so that an existing folder is always complete. */
const initialise = async (data: string, programs: string, password: string, durability: Durability) => {
  const user = serviceUser()
  const half = `${data}.new`
  await rm(half, { recursive: true, force: true })
  await mkdir(half, { mode: 0o700 })
  if (user) await chown(half, user.uid, user.gid)
  const { path, spawnWith } = reach(half, user)
  const noSync = durability === 'fast' ? ['--no-sync'] : []
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-locale']
  await run(
    join(programs, 'initdb'),
    ['-D', path, '-U', 'postgres', '--auth=reject', '--no-instructions', ...locale, ...noSync],
    spawnWith,
  )
  await run(
    join(programs, 'postgres'),
    ['--single', '-D', path, ...(durability === 'fast' ? ['-F', '-c', 'scram_iterations=1'] : []), 'postgres'],
    spawnWith,
    `create role ${role} login createdb password '${password}'\ncreate database ${role} owner ${role}\n`,
  )
  await writeFile(join(half, 'pg_hba.conf'), accessRules, { flush: true })
  await renameSynced(half, data)
}

/** Renames so that it survives a power cut. Windows cannot open folders; a name there is durable with its file. */
const renameSynced = async (from: string, to: string): Promise<void> => {
  await rename(from, to)
  if (process.platform === 'win32') return
  const folder = await open(dirname(to), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const storedPassword = async (file: string): Promise<string> => {
  const stored = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (stored) return stored
  const made = randomBytes(24).toString('base64url')
  // Flushed before the rename, because the database stores the same password: losing it would lock everybody out.
  await writeFile(`${file}.new`, `${made}\n`, { mode: 0o600, flush: true })
  await renameSynced(`${file}.new`, file)
  return made
}

/** Major versions never share a data folder; this version cannot read the folder of another. */
const refuseOtherMajor = async (folder: string): Promise<void> => {
  const other = (await readdir(folder)).find((name) => /^\d+$/.test(name))
  if (other)
    throw new PostgresRefusal(
      `${join(folder, other)} holds a database of PostgreSQL ${other}, and this release brings ${majorVersion}: start the release before, back up, and restore into an empty data folder.`,
    )
}

/**
 * Creates a database cluster of this major version with an empty database `gantry` in `folder`; existing data stays.
 * Only one process may do this for a folder at a time. Throws PostgresRefusal if this machine cannot run it.
 */
export const prepareCluster = async (folder: string, durability: Durability): Promise<Cluster> => {
  const user = serviceUser()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (user) {
    await chown(folder, 0, user.gid)
    await chmod(folder, 0o710)
  }
  const programs = await prepareBinaries(folder, user)
  const password = await storedPassword(join(folder, 'password'))
  const data = join(folder, String(majorVersion))
  if (!(await stat(data).catch(() => undefined))) {
    await refuseOtherMajor(folder)
    await initialise(data, programs, password, durability)
  }

  const { path, spawnWith } = reach(data, user)
  const socketPath = join(data, '.s.PGSQL.5432')
  const socket = process.platform !== 'win32' && Buffer.byteLength(socketPath) <= longestSocketPath
  const port = socket ? 5432 : await freePort()
  // The socket is in the data folder itself, which only the service user and root can enter.
  const listening = socket ? ['unix_socket_directories=.', 'listen_addresses='] : ['listen_addresses=127.0.0.1']
  return {
    data,
    command: join(programs, 'postgres'),
    args: ['-D', path, ...[...common, ...settings[durability], ...listening, `port=${port}`].flatMap((s) => ['-c', s])],
    spawnWith,
    url: urlOf(password, socket ? { socket: data, port } : { port }),
  }
}

type Address = { port: number; socket?: string }

const urlOf =
  (password: string, { port, socket }: Address) =>
  (database: string): string =>
    socket === undefined
      ? `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`
      : `postgresql://${role}:${password}@/${database}?host=${encodeURIComponent(socket)}&port=${port}`

/** The connection URLs of the cluster in `folder`, if another process runs it; otherwise undefined. */
export const runningUrl = async (folder: string): Promise<Cluster['url'] | undefined> => {
  const data = join(folder, String(majorVersion))
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  if (lines[7]?.trim() !== 'ready') return undefined
  const port = Number(lines[3])
  return urlOf(await storedPassword(join(folder, 'password')), lines[4] === '.' ? { socket: data, port } : { port })
}
