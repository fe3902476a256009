import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Endpoint, isEndpoint } from '@gantry/contract/endpoint'
import { z } from 'zod'
import { StartError } from '../kernel/start-error.ts'

type Exports = Record<string, unknown>

export interface Found<T> {
  file: string
  value: T
}

const contractFolder = join(fileURLToPath(import.meta.resolve('@gantry/contract/endpoint')), '..')

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((e) => e.isFile() && e.name.endsWith('.ts') && !/\.(test|gen|d)\.ts$/.test(e.name))
    .map((e) => join(e.parentPath, e.name))
    .sort()
}

const load = async (file: string): Promise<Exports> => (await import(pathToFileURL(file).href)) as Exports

/** Every endpoint of the contract, whether a handler is bound to it yet or not. */
export async function findEndpoints(folder = contractFolder): Promise<Endpoint[]> {
  const found = new Map<string, Endpoint>()
  for (const file of await sources(folder)) {
    for (const exported of Object.values(await load(file))) {
      const values = isEndpoint(exported) ? [exported] : Object.values((exported ?? {}) as object).filter(isEndpoint)
      for (const endpoint of values) {
        const call = `${endpoint.method} ${endpoint.path}`
        const other = found.get(call)
        if (other && other !== endpoint)
          throw new StartError(`${call} is declared twice, again in ${relative(folder, file)}`)
        found.set(call, endpoint)
      }
    }
  }
  return [...found.values()]
}

/** What the files `domains/<domain>/*.<suffix>.ts` export under `name`; a file without it stops the start. */
export async function findExports<T>(
  folder: string,
  suffix: string,
  name: string,
  only?: string[],
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

const placeholders = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')

/** Why an endpoint must not be served; undefined where it may. */
function fault(endpoint: Endpoint, owners: ReadonlySet<string>): string | undefined {
  const { method, path, access, audit, data, params } = endpoint as Partial<Endpoint>
  if (access === undefined || access === null) return 'lacks access'
  if (!(data instanceof z.ZodType)) return 'lacks the shape of its answer'
  if (method !== 'GET' && !audit) return 'lacks its audit name'
  const names = placeholders(path ?? '')
  const shape = params instanceof z.ZodObject ? Object.keys(params.shape as object) : []
  const undeclared = names.find((name) => !shape.includes(name))
  if (undeclared) return `does not declare the parameter ${undeclared}`
  if (typeof access !== 'object') return undefined
  const by = 'team' in access ? access.team : access.by
  if (!names.includes(by)) return `asks for access by ${by}, which its path does not have`
  if ('owner' in access && !owners.has(access.owner))
    return `asks for access by the owner of a ${access.owner}, for which there is no owner file`
  return undefined
}

/** Stops the start at the first call that would be served without one of its promises. */
export function refuseFaultyEndpoints(bound: Iterable<Endpoint>, owners: ReadonlySet<string>): void {
  for (const endpoint of bound) {
    const why = fault(endpoint, owners)
    if (why) throw new StartError(`${endpoint.method} ${endpoint.path} ${why}`)
  }
}
