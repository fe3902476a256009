import { readdir } from 'node:fs/promises'
import { join, normalize, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A module that is loaded on demand; `file` is relative to the searched folder. */
export interface Loader<T> {
  file: string
  load: () => Promise<T>
}

/**
 * The modules below the folder whose path from it is `wanted`, in the order of their paths. `bundled`: those that
 * `import.meta.glob` has found when the server was bundled; then the folder is not read.
 */
export async function loadersIn<T>(
  folder: string,
  wanted: (file: string) => boolean,
  bundled?: Record<string, () => Promise<T>>,
): Promise<Loader<T>[]> {
  const found = bundled
    ? Object.entries(bundled).map(([path, load]) => ({ file: normalize(path), load }))
    : (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => ({ file: relative(folder, path), load: () => import(pathToFileURL(path).href) as Promise<T> }))
  return found.filter(({ file }) => wanted(file)).sort((a, b) => (a.file < b.file ? -1 : 1))
}
