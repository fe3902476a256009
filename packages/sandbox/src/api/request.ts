import type { IncomingMessage } from 'node:http'
import { kindAt, kinds, type Kind } from '../objects/kinds.ts'
import { ApiError, badRequest, noSuchResource } from '../objects/status.ts'

/** The resource, object and subresource of a request under /api or /apis. */
export interface Target {
  kind: Kind
  namespace: string | undefined
  name: string | undefined
  subresource: string | undefined
  /** The path after the subresource, which a proxy passes on. */
  rest: string
}

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw badRequest(`invalid URL escape in "${segment}"`)
  }
}

/** Undefined if there is no group at this path; throws if the group has nothing there. */
export function targetOf(pathname: string): Target | undefined {
  const [, root, ...parts] = pathname.split('/')
  const [group, version] = root === 'api' ? ['', parts.shift()] : [parts.shift(), parts.shift()]
  if ((root !== 'api' && root !== 'apis') || group === undefined || version === undefined) return undefined
  if (!kinds.some((kind) => kind.group === group && kind.version === version)) return undefined

  let namespace: string | undefined
  const [first, second, third] = parts
  if (first === 'namespaces' && second && third && third !== 'status' && third !== 'finalize') {
    namespace = decode(second)
    parts.splice(0, 2)
  }
  const kind = kindAt(group, version, parts.shift() ?? '')
  const [name, subresource, ...rest] = parts
  if (!kind || (namespace !== undefined && !kind.namespaced)) throw noSuchResource()
  // Namespaced objects may be listed over all namespaces, but an object is never named without its namespace.
  if (kind.namespaced && namespace === undefined && name) throw noSuchResource()
  if (subresource && !kind.subresources.includes(subresource)) throw noSuchResource()
  return {
    kind,
    namespace,
    name: name ? decode(name) : undefined,
    subresource: subresource || undefined,
    rest: rest.join('/'),
  }
}

const limit = 3 * 1024 * 1024

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw badRequest(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export const isTrue = (value: string | null): boolean => value !== null && value !== 'false' && value !== '0'

/** A query parameter that must be a whole number if present. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^-?\d+$/.test(text))
    throw badRequest(`unable to decode query parameters: strconv.ParseInt: parsing "${text}": invalid syntax`)
  return Number(text)
}

/** `dryRun` must be absent or All. */
export function isDryRun(query: URLSearchParams): boolean {
  const text = query.get('dryRun')
  if (text === null || text === '') return false
  if (text !== 'All')
    throw new ApiError(
      422,
      'Invalid',
      `  "" is invalid: dryRun: Invalid value: ["${text}"]: Unsupported value: "${text}": supported values: "All"`,
    )
  return true
}

/** The manager for managedFields: the parameter, or the program's name from User-Agent. */
export function managerOf(request: IncomingMessage, query: URLSearchParams): string {
  const agent = request.headers['user-agent'] ?? 'unknown'
  return query.get('fieldManager') || agent.split('/')[0] || 'unknown'
}
