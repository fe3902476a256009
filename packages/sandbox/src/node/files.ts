/** A container's files: what its image and its volumes give it, and what was touched since, which no one keeps. */
export interface Files {
  read(path: string): string | undefined
  /** Makes an empty file; false where there is no room for it. */
  touch(path: string): boolean
  /** The names in a folder, sorted; undefined where there is no such folder. */
  list(path: string): string[] | undefined
}

const folders = ['bin', 'dev', 'etc', 'home', 'proc', 'root', 'sys', 'tmp', 'usr', 'var']

/** Files that one container can make: memory, not a disk. */
const most = 1000

export function makeFiles(given: Record<string, string>): Files {
  const texts = new Map(Object.entries(given))
  const room = texts.size + most
  return {
    read: (path) => texts.get(path),
    touch(path) {
      if (!texts.has(path) && (texts.size >= room || path.length > 1024)) return false
      texts.set(path, texts.get(path) ?? '')
      return true
    },
    list(path) {
      const under = path === '/' ? '/' : `${path}/`
      const inside = [...texts.keys(), ...folders.map((name) => `/${name}/`)].filter((one) => one.startsWith(under))
      const names = inside.map((one) => one.slice(under.length).split('/')[0] ?? '').filter((name) => name !== '')
      return inside.length > 0 ? [...new Set(names)].sort() : undefined
    },
  }
}
