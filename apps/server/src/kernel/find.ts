import { readdir } from 'node:fs/promises'
import { join, normalize, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { callOf, type Endpoint, isEndpoint } from '@gantry/contract/endpoint'
import { isTopic, type Topic } from '@gantry/contract/topic'
import { StartError } from './fault.ts'
import { root } from '../root.ts'

export interface Found<T> {
  /** Relative to the searched folder. */
  file: string
  value: T
}

type Exports = Record<string, unknown>

const contractFolder = join(root, 'packages/contract/src')

type Loaders = Record<string, () => Promise<Exports>>

/** In a bundle, the contract's files are found when it is built. */
const bundled: Loaders | undefined =
  import.meta.env &&
  import.meta.glob<Exports>(['./**/*.ts', '!./**/*.test.ts', '!./**/*.gen.ts', '!./**/*.d.ts'], {
    base: '../../../../packages/contract/src',
  })

/** Loads each source file below the folder, by its path relative to it. */
async function loadersIn(folder: string): Promise<Loaders> {
  if (bundled && folder === contractFolder) return bundled
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((e) => e.isFile() && e.name.endsWith('.ts') && !/\.(test|gen|d)\.ts$/.test(e.name))
    .map((e) => join(e.parentPath, e.name))
  return Object.fromEntries(
    paths.map((path) => [relative(folder, path), () => import(pathToFileURL(path).href) as Promise<Exports>]),
  )
}

/** Finds values that the contract exports, directly or within an exported object, keyed by their name on the wire. */
async function findDeclared<T>(is: (value: unknown) => value is T, nameOf: (value: T) => string, folder: string) {
  const found = new Map<string, Found<T>>()
  for (const [path, load] of Object.entries(await loadersIn(folder)).sort()) {
    const file = normalize(path)
    for (const exported of Object.values(await load())) {
      const values = is(exported) ? [exported] : Object.values(exported ?? {}).filter(is)
      for (const value of values) {
        const name = nameOf(value)
        const other = found.get(name)
        if (other && other.value !== value) throw new StartError(`${name} is declared twice, again in ${file}`)
        found.set(name, { file, value })
      }
    }
  }
  return [...found.values()]
}

/** Every endpoint of the contract, whether a handler is bound to it or not. */
export const findEndpoints = (folder = contractFolder): Promise<Found<Endpoint>[]> =>
  findDeclared(isEndpoint, callOf, folder)

/** Every topic of the contract. */
export const findTopics = (folder = contractFolder): Promise<Found<Topic>[]> =>
  findDeclared(isTopic, ({ path }) => path, folder)
