import { readdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Endpoint, isEndpoint } from '@gantry/contract/endpoint'
import { StartError } from './start-error.ts'

/** Nothing is listed by hand: endpoints, handlers, owners, jobs and hooks are found by their folder and their file's name. */

export interface Found<T> {
  /** Relative to the folder that was searched; its first part is the domain. */
  file: string
  value: T
}

type Exports = Record<string, unknown>

const contractFolder = dirname(fileURLToPath(import.meta.resolve('@gantry/contract/endpoint')))
const domainsFolder = join(import.meta.dirname, '..', 'domains')

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((e) => e.isFile() && e.name.endsWith('.ts') && !/\.(test|gen|d)\.ts$/.test(e.name))
    .map((e) => join(e.parentPath, e.name))
    .sort()
}

const load = async (file: string): Promise<Exports> => (await import(pathToFileURL(file).href)) as Exports

/** Every endpoint of the contract, whether a handler is bound to it yet or not. */
export async function findEndpoints(folder = contractFolder): Promise<Found<Endpoint>[]> {
  const found = new Map<string, Found<Endpoint>>()
  for (const path of await sources(folder)) {
    const file = relative(folder, path)
    for (const exported of Object.values(await load(path))) {
      const values = isEndpoint(exported) ? [exported] : Object.values(exported ?? {}).filter(isEndpoint)
      for (const value of values) {
        const call = `${value.method} ${value.path}`
        const other = found.get(call)
        if (other && other.value !== value) throw new StartError(`${call} is declared twice, again in ${file}`)
        found.set(call, { file, value })
      }
    }
  }
  return [...found.values()]
}

interface Where {
  folder?: string
  /** Only these domains. */
  only?: string[] | undefined
}

/** What the files `<domain>/<thing>.<suffix>.ts` export under `name`; a file without it stops the start. */
export async function findExports<T>(
  suffix: string,
  name: string,
  { folder = domainsFolder, only }: Where = {},
): Promise<Found<T>[]> {
  const files = (await sources(folder)).filter((file) => {
    const [domain = '', ...rest] = relative(folder, file).split(sep)
    return rest.length === 1 && file.endsWith(`.${suffix}.ts`) && (only?.includes(domain) ?? true)
  })
  return Promise.all(
    files.map(async (file) => {
      const value = (await load(file))[name]
      if (value === undefined) throw new StartError(`${relative(folder, file)} does not export ${name}`)
      return { file: relative(folder, file), value: value as T }
    }),
  )
}
