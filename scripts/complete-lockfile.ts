import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Run this after `npm install` behind a registry that mirrors only some platforms: npm then leaves the programs of the
 * other platforms out of the lockfile, and `npm ci` fails on all platforms. Adds them with the exact version that their
 * package requires; on such a platform they are installed without an integrity hash from the lockfile.
 */
interface Entry {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const file = join(import.meta.dirname, '../package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> }

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm64', 'arm', 'x64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x']

/** Reads names such as @oxlint/binding-linux-arm-musleabihf. */
const platformOf = (name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> => {
  const words = name.split(/[-/]/)
  const os = systems.find((system) => words.includes(system))
  const cpu = processors.find((processor) => words.includes(processor))
  if (!os || !cpu) throw new Error(`${name} does not say for which platform it is`)
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return { os: [os], cpu: [cpu], ...(libc && os === 'linux' ? { libc: [libc] } : {}) }
}

/** Resolves a package as Node does: first in the asking package's folder, then further out. */
const isThere = (asker: string, name: string): boolean => {
  for (let at = asker; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (lock.packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`]) return true
    if (at === '') return false
  }
}

const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
  Object.entries(optionalDependencies)
    .filter(([name, version]) => /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) && !isThere(path, name))
    .map(
      ([name, version]) =>
        [`node_modules/${name}`, { version, ...(dev && { dev }), optional: true, ...platformOf(name) }] as const,
    ),
)
for (const [path, entry] of missing) lock.packages[path] = entry
const [root, ...others] = Object.entries(lock.packages)
const sorted = others.sort(([a], [b]) => a.localeCompare(b, 'en'))
lock.packages = Object.fromEntries(root ? [root, ...sorted] : sorted)
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${missing.length} added`)
