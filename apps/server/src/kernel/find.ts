import { readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { callOf, type Endpoint, isEndpoint } from '@gantry/contract/endpoint'
import { isTopic, type Topic } from '@gantry/contract/topic'
import { StartError } from './fault.ts'

export interface Found<T> {
  /** Relative to the searched folder. */
  file: string
  value: T
}

type Exports = Record<string, unknown>

const contractFolder = dirname(fileURLToPath(import.meta.resolve('@gantry/contract/endpoint')))

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((e) => e.isFile() && e.name.endsWith('.ts') && !/\.(test|gen|d)\.ts$/.test(e.name))
    .map((e) => join(e.parentPath, e.name))
    .sort()
}

const load = async (file: string): Promise<Exports> => (await import(pathToFileURL(file).href)) as Exports

/** Finds values that the contract exports, directly or within an exported object, keyed by their name on the wire. */
async function findDeclared<T>(is: (value: unknown) => value is T, nameOf: (value: T) => string, folder: string) {
  const found = new Map<string, Found<T>>()
  for (const path of await sources(folder)) {
    const file = relative(folder, path)
    for (const exported of Object.values(await load(path))) {
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
