/** A container's files: those of its image and its volumes, and those written since, in memory only. */
export interface Files {
  read(path: string): string | undefined
  bytes(path: string): Buffer | undefined
  /** Creates an empty file; false if there is no room. */
  touch(path: string): boolean
  /** Replaces the content of a file; answers why not, if it cannot. */
  write(path: string, bytes: Buffer): WriteRefusal | undefined
  remove(path: string): void
  setMode(path: string, mode: number): void
  entry(path: string): Entry | undefined
  /** The names in a folder, sorted; undefined if there is no such folder. */
  list(path: string): string[] | undefined
}

export type WriteRefusal = 'missing' | 'folder' | 'full' | 'readonly'

export interface Entry {
  kind: 'file' | 'folder' | 'device'
  size: number
  /** Permission bits. */
  mode: number
  /** Milliseconds since the epoch. */
  changed: number
}

interface Stored {
  bytes: Buffer
  mode: number
  changed: number
}

const usual = ['bin', 'dev', 'etc', 'home', 'proc', 'root', 'sys', 'tmp', 'usr', 'var', 'var/log']
const devices = new Set(['/dev/null', '/dev/zero'])

/** The most files that a container can create, and their total bytes, which are in memory. */
const most = 1000
const maxBytes = 16 * 1024 * 1024

interface Disk {
  /** Milliseconds since the epoch: the start of the container, and now. */
  now: () => number
  /** Folders that exist even if they are empty: volumes. */
  folders?: readonly string[]
  /** Writable folders under a read-only root; undefined: everything is writable. */
  writable?: readonly string[] | undefined
}

export function makeFiles(given: Record<string, string>, { now, folders = [], writable }: Disk): Files {
  const made = now()
  const stored = new Map<string, Stored>(
    Object.entries(given).map(([path, text]) => [path, { bytes: Buffer.from(text), mode: 0o644, changed: made }]),
  )
  const room = stored.size + most
  const places = [...usual.map((name) => `/${name}/`), ...folders.map((path) => path.replace(/\/*$/, '/'))]
  let used = 0
  const inside = (path: string): string[] => {
    const under = path === '/' ? '/' : `${path}/`
    const all = [...stored.keys(), ...places, ...devices]
    return all.filter((one) => one.startsWith(under)).map((one) => one.slice(under.length))
  }
  const refusal = (path: string, size: number): WriteRefusal | undefined => {
    const parent = path.slice(0, path.lastIndexOf('/')) || '/'
    if (devices.has(path)) return 'readonly'
    if (inside(path).length > 0) return 'folder'
    if (parent !== '/' && inside(parent).length === 0) return 'missing'
    if (writable && !writable.some((one) => path.startsWith(`${one}/`))) return 'readonly'
    const before = stored.get(path)
    const isFull = (!before && stored.size >= room) || path.length > 1024
    return isFull || used + size - (before?.bytes.length ?? 0) > maxBytes ? 'full' : undefined
  }
  const self: Files = {
    read: (path) => stored.get(path)?.bytes.toString('utf8'),
    bytes: (path) => stored.get(path)?.bytes,
    touch: (path) => stored.has(path) || self.write(path, Buffer.alloc(0)) === undefined,
    write(path, bytes) {
      const refused = refusal(path, bytes.length)
      if (refused !== undefined) return refused
      const before = stored.get(path)
      used += bytes.length - (before?.bytes.length ?? 0)
      stored.set(path, { bytes, mode: before?.mode ?? 0o644, changed: now() })
      return undefined
    },
    remove(path) {
      used -= stored.get(path)?.bytes.length ?? 0
      stored.delete(path)
    },
    setMode(path, mode) {
      const one = stored.get(path)
      if (one) stored.set(path, { ...one, mode })
    },
    entry(path) {
      const one = stored.get(path)
      if (one) return { kind: 'file', size: one.bytes.length, mode: one.mode, changed: one.changed }
      if (devices.has(path)) return { kind: 'device', size: 0, mode: 0o666, changed: made }
      return path === '/' || inside(path).length > 0
        ? { kind: 'folder', size: 4096, mode: 0o755, changed: made }
        : undefined
    },
    list(path) {
      const names = inside(path).map((rest) => rest.split('/')[0] ?? '')
      return names.length > 0 ? [...new Set(names.filter((name) => name !== ''))].sort() : undefined
    },
  }
  return self
}
