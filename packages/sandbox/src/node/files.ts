/** A container's files: what its image and its volumes give it, and what was written since, which no one keeps. */
export interface Files {
  read(path: string): string | undefined
  write(path: string, text: string): void
  remove(path: string): boolean
  makeFolder(path: string): void
  /** The names in a folder, sorted; undefined where there is no such folder. */
  list(path: string): string[] | undefined
}

const folders = ['bin', 'dev', 'etc', 'home', 'proc', 'root', 'sys', 'tmp', 'usr', 'var']

/** The most text that one container's written files may hold: memory, not a disk. */
const limit = 1024 * 1024

export function makeFiles(given: Record<string, string>): Files {
  const texts = new Map(Object.entries(given))
  const made = new Set(folders.map((name) => `/${name}`))
  const under = (path: string): string => (path === '/' ? '/' : `${path}/`)
  return {
    read: (path) => texts.get(path),
    write(path, text) {
      let size = text.length
      for (const [other, held] of texts) if (other !== path) size += held.length
      if (size <= limit) texts.set(path, text)
    },
    remove: (path) => texts.delete(path) || made.delete(path),
    makeFolder: (path) => void made.add(path),
    list(path) {
      const prefix = under(path)
      const names = new Set<string>()
      for (const one of [...texts.keys(), ...made])
        if (one.startsWith(prefix) && one !== path) names.add(one.slice(prefix.length).split('/')[0] ?? '')
      if (names.size === 0 && path !== '/' && !made.has(path)) return undefined
      return [...names].sort()
    },
  }
}
