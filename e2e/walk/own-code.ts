import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const dist = join(import.meta.dirname, '../../apps/console/dist')

/** A file in a build's manifest: its own name, and its static imports. */
interface Part {
  file: string
  name?: string
  src?: string
  imports?: string[]
  css?: string[]
}

/** The size of a file as a browser loads it, in kB. */
function kBOf(file: string): number {
  const path = join(dist, file)
  return (statSync(`${path}.br`, { throwIfNoEntry: false }) ?? statSync(path)).size / 1000
}

/** By screen, the kB of its own code and styles, without those of the bars, lists and forms of all screens. */
export function ownCode(): Map<string, number> {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Part>
  const behind = (key: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(key)) return seen
    seen.add(key)
    for (const next of manifest[key]?.imports ?? []) behind(next, seen)
    return seen
  }
  const shared = [...behind('index.html'), ...behind('src/shell/frame.tsx')]
  shared.push(...Object.keys(manifest).filter((key) => manifest[key]?.name === 'forms'))
  const filesOf = (keys: Iterable<string>) =>
    [...keys].flatMap((key) => [manifest[key]?.file ?? '', ...(manifest[key]?.css ?? [])])
  const known = new Set(filesOf(shared))
  const pages = Object.keys(manifest).filter((key) => /^src\/domains\/.+-page\.tsx$/.test(key))
  return new Map(
    pages.map((page) => [
      page,
      [...new Set(filesOf(behind(page)))].filter((file) => !known.has(file)).reduce((sum, file) => sum + kBOf(file), 0),
    ]),
  )
}
