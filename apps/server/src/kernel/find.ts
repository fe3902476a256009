import { join } from 'node:path'
import { callOf, type Endpoint, isEndpoint } from '@gantry/contract/endpoint'
import { isTopic, type Topic } from '@gantry/contract/topic'
import { StartError } from './fault.ts'
import { loadersIn } from './loaders.ts'
import { root } from '../root.ts'

export interface Found<T> {
  /** Relative to the searched folder. */
  file: string
  value: T
}

type Exports = Record<string, unknown>

const contractFolder = join(root, 'packages/contract/src')

/** In a bundle, the contract's files are found when it is built. */
const bundled =
  import.meta.env &&
  import.meta.glob<Exports>(['./**/*.ts', '!./**/*.test.ts', '!./**/*.gen.ts', '!./**/*.d.ts'], {
    base: '../../../../packages/contract/src',
  })

const isSource = (file: string): boolean => file.endsWith('.ts') && !/\.(test|gen|d)\.ts$/.test(file)

/** Finds values that the contract exports, directly or within an exported object, keyed by their name on the wire. */
async function findDeclared<T>(is: (value: unknown) => value is T, nameOf: (value: T) => string, folder: string) {
  const found = new Map<string, Found<T>>()
  for (const { file, load } of await loadersIn<Exports>(
    folder,
    isSource,
    folder === contractFolder ? bundled : undefined,
  )) {
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
