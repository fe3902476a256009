import { longestJson, mostIn, unwrapped } from '@gantry/contract/shape'
import { illegalKeys } from '@gantry/contract/validators'
import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { isObject } from '../../kernel/json.ts'
import { bodyLimit, collect, type Incoming, isEncoded, tooLarge } from './body.ts'
import { maxProblems } from '../errors.ts'

/** A body this short takes no more memory than its connection. */
export const smallBody = 4 * 1024

/** JSON nested deeper than any call needs. */
const maxDepth = 64

const json = /^application\/json(; ?charset=utf-8)?$/i

/** PostgreSQL stores neither a NUL nor half a surrogate pair. */
const refuseIllegal = (text: string): void => {
  if (!text.isWellFormed() || text.includes('\0')) throw new Fault('invalid', 'request-illegal-character')
}

/** Refuses keys that could reach a prototype, and texts with a NUL or half a surrogate pair, at any depth. */
export function refusePoison(value: unknown): void {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new Fault('invalid', 'request-not-json')
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item === 'string') refuseIllegal(item)
      if (typeof item !== 'object' || item === null) continue
      for (const [key, inner] of Object.entries(item)) {
        refuseIllegal(key)
        if (illegalKeys.has(key) && !Array.isArray(item))
          throw new Fault('invalid', 'request-illegal-key', { name: key })
        if (typeof inner === 'string') refuseIllegal(inner)
        if (typeof inner === 'object' && inner !== null) next.push(inner)
      }
    }
    level = next
  }
}

/** JSON.parse keeps the last value of a duplicate key; a proxy that inspected the request may have read the first. */
function refuseDuplicates(text: string): void {
  const objects: Set<string>[] = []
  for (const [token, raw = '', colon] of text.matchAll(/"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]/g)) {
    if (token === '{') objects.push(new Set())
    else if (token === '}') objects.pop()
    else if (colon !== undefined) {
      const keys = objects.at(-1)
      const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
      if (keys?.has(name)) throw new Fault('invalid', 'request-duplicate-key', { name: name.slice(0, 100) })
      keys?.add(name)
    }
  }
}

/** Which of `[` and `{` may begin the JSON of a schema. */
function opens(schema: z.core.$ZodType): string {
  const { def } = unwrapped(schema)._zod
  switch (def.type) {
    case 'object':
    case 'record':
      return '{'
    case 'array':
    case 'tuple':
      return '['
    case 'union':
      return def.options.map(opens).join('')
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'literal':
    case 'enum':
      return ''
    default:
      return '[{'
  }
}

type Path = readonly PropertyKey[]

function problemsAt(schema: z.core.$ZodType, value: unknown, path: Path): z.core.$ZodIssue[] {
  const { error } = z.safeParse(schema, value, { reportInput: true })
  return (error?.issues ?? []).slice(0, maxProblems).map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
}

/**
 * Throws the first few problems of long lists. A schema validates every item before it reports the first problem, which
 * for thousands of items takes long enough to delay all other calls. Returns whether it has validated a long list: what
 * contains such a list is left to the schema, so that items are not validated again for each list around them.
 */
function refuseBadLists(schema: z.core.$ZodType, value: unknown, path: Path = []): boolean {
  const inner = unwrapped(schema)
  const { def } = inner._zod
  let validated = false
  const look = (part: z.core.$ZodType, given: unknown, at: Path) => {
    const within = refuseBadLists(part, given, at)
    validated ||= within
    return within
  }
  if (def.type === 'array' && Array.isArray(value)) {
    if (value.length > mostIn(inner)) {
      const lengths = (def.checks ?? []).filter(({ _zod }) => /length/.test(_zod.def.check))
      const ofAnything = z.core.clone(inner, { ...def, element: z.unknown(), checks: lengths })
      throw new z.ZodError(problemsAt(ofAnything, value, path))
    }
    const found: z.core.$ZodIssue[] = []
    for (const [at, item] of value.entries()) {
      const within = look(def.element, item, [...path, at])
      // short lists are left to the schema
      if (!within && value.length > maxProblems) {
        found.push(...problemsAt(def.element, item, [...path, at]))
        validated = true
      }
      if (found.length >= maxProblems) break
    }
    if (found.length > 0) throw new z.ZodError(found)
  } else if (def.type === 'object' && isObject(value)) {
    for (const [key, part] of Object.entries(def.shape))
      if (Object.hasOwn(value, key)) look(part, value[key], [...path, key])
  } else if (def.type === 'record' && isObject(value)) {
    for (const [key, part] of Object.entries(value)) look(def.valueType, part, [...path, key])
  } else if (def.type === 'union' && 'discriminator' in def && isObject(value)) {
    const named = def.options.find((option) => {
      const one = unwrapped(option)._zod.def
      const name = one.type === 'object' ? one.shape[String(def.discriminator)] : undefined
      return name !== undefined && z.safeParse(name, value[String(def.discriminator)]).success
    })
    if (named) look(named, value, path)
  }
  return validated
}

export interface JsonBody<B extends z.ZodType> {
  /** In bytes: slightly more than the longest value that the schema accepts. */
  limit: number
  /**
   * Calls `arrived` with the number of bytes before they are processed, and `admit` with the JSON before the schema
   * sees it, so that refused callers cost no validation.
   */
  read: (
    incoming: Incoming,
    arrived?: (bytes: number) => void,
    admit?: (value: unknown) => Promise<void>,
  ) => Promise<z.output<B>>
}

/**
 * Reads bodies of this schema and knows their maximum length. Refusals are cheap, because the cheapest checks come
 * first.
 */
export function jsonBody<B extends z.ZodType>(schema: B): JsonBody<B> {
  const longest = Math.ceil(longestJson(schema) / 1024) * 1024
  const limit = Math.min(bodyLimit, Math.max(smallBody, longest))
  const openers = opens(schema)

  const parse = (value: unknown): z.output<B> => schema.parse(value, { reportInput: true })

  async function bytesOf({ stream, contentLength }: Incoming): Promise<Buffer> {
    if (!stream || contentLength === '0') return Buffer.alloc(0)
    if (Number(contentLength ?? 0) > limit) throw tooLarge(limit)
    return collect(stream, limit)
  }

  function textOf(incoming: Incoming, bytes: Buffer): string {
    const { contentType } = incoming
    if (isEncoded(incoming)) throw new Fault('unsupported', 'body-encoding-unsupported')
    if (!json.test(contentType ?? '')) throw new Fault('unsupported', 'content-type-unsupported')
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      throw new Fault('invalid', 'request-not-json')
    }
  }

  return {
    limit,
    // the content type matters only if there is a body
    read: async (incoming, arrived, admit) => {
      const bytes = await bytesOf(incoming)
      arrived?.(bytes.length)
      if (bytes.length === 0) {
        await admit?.({})
        const absent = schema.safeParse(undefined)
        return absent.success ? absent.data : parse({})
      }
      const text = textOf(incoming, bytes)
      const first = /[^ \t\r\n]/.exec(text)?.[0] ?? ''
      if ((first === '[' || first === '{') && !openers.includes(first)) parse(first === '[' ? [] : {})
      const value = parsed(text)
      refuseDuplicates(text)
      refusePoison(value)
      await admit?.(value)
      refuseBadLists(schema, value)
      return parse(value)
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('invalid', 'request-not-json')
  }
}
