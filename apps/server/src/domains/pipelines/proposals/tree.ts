/** A repository as the detector sees it: the paths of its files, and the texts of a few of them. */
export interface Tree {
  files: readonly string[]
  texts: ReadonlyMap<string, string>
}

/** One folder of a tree. */
export interface Folder {
  /** The path from the root; empty for the root. */
  path: string
  has: (name: string) => boolean
  /** Empty for a file that does not exist or was not read. */
  text: (name: string) => string
  /** The names of files directly in it. */
  named: (pattern: RegExp) => string[]
  /** Whether there is a file in it or below it with a matching path, relative to this folder. */
  holds: (pattern: RegExp) => boolean
  /** Whether a text that was read in it or below it matches. */
  says: (pattern: RegExp) => boolean
}

/** The depth below the root up to which projects are searched. */
const deepest = 3

/** Folders with foreign code or examples, whose tests are not the repository's own. */
const skipped =
  /^(\..*|node_modules|bower_components|vendor|third_party|testdata|fixtures|__fixtures__|examples?|templates?|dist|target|obj)$/

/** Paths that need no quotes in a script or a pattern. Other folders are skipped. */
const plain = /^[A-Za-z0-9._+@/-]+$/

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const depthOf = (folder: string): number => (folder === '' ? 0 : folder.split('/').length)

const isLookedAt = (folder: string): boolean =>
  folder === '' ||
  (depthOf(folder) <= deepest && plain.test(folder) && !folder.split('/').some((part) => skipped.test(part)))

/** Nearest to the root first, then by name. */
const byDepth = (a: string, b: string): number => depthOf(a) - depthOf(b) || (a < b ? -1 : a > b ? 1 : 0)

/** Files with lists of Python packages, with names that need no quotes in a script. */
export const requirements = /^requirements[\w.-]*\.txt$/

/** Files that describe how a project is built; only these are read. */
const manifests =
  /^(package\.json|go\.mod|pom\.xml|build\.gradle(\.kts)?|pyproject\.toml|requirements[\w.-]*\.txt|setup\.cfg|composer\.json|Cargo\.toml|.*\.csproj|Makefile|\.nvmrc|\.python-version)$/

/** The files that the detector reads, nearest to the root first. */
export const manifestsOf = (files: readonly string[]): string[] =>
  files
    .filter((path) => manifests.test(path.slice(path.lastIndexOf('/') + 1)) && isLookedAt(folderOf(path)))
    .toSorted(byDepth)

/** Every folder that may be a project, from the root down. */
export function foldersOf({ files, texts }: Tree): Folder[] {
  const within = new Map<string, string[]>([['', []]])
  for (const path of files) {
    const folder = folderOf(path)
    if (!isLookedAt(folder)) continue
    const names = within.get(folder)
    if (names) names.push(path.slice(folder === '' ? 0 : folder.length + 1))
    else within.set(folder, [path.slice(folder.length + 1)])
  }
  return [...within.keys()].toSorted(byDepth).map((path) => {
    const names = within.get(path) ?? []
    const prefix = path === '' ? '' : `${path}/`
    return {
      path,
      has: (name) => names.includes(name),
      text: (name) => texts.get(prefix + name) ?? '',
      named: (pattern) => names.filter((name) => pattern.test(name)),
      holds: (pattern) => files.some((file) => file.startsWith(prefix) && pattern.test(file.slice(prefix.length))),
      says: (pattern) => [...texts].some(([file, text]) => file.startsWith(prefix) && pattern.test(text)),
    }
  })
}
