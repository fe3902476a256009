import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Outbound } from '../src/adapters/outbound/outbound.ts'
import { lab } from './lab.ts'

/** Harbor's own description of its API; missing without the lab. */
const file = join(lab, 'peers', 'harbor-swagger.yaml')

interface Schema {
  $ref?: string
  type?: string
  format?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  items?: Schema
  maximum?: number
  minimum?: number
}

interface Parameter extends Omit<Schema, 'required'> {
  name: string
  in: 'path' | 'query' | 'header' | 'body'
  required?: boolean
  schema?: Schema
}

interface Response {
  $ref?: string
  schema?: Schema
  headers?: Record<string, unknown>
}

interface Operation {
  parameters?: Parameter[]
  responses: Record<string, Response>
}

interface Document {
  basePath: string
  paths: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>
  definitions: Record<string, Schema>
  parameters: Record<string, Parameter>
  responses: Record<string, Response>
}

export interface Exchange {
  method: string
  url: URL
  headers: Record<string, string>
  body: string | undefined
  status: number
  answered: Record<string, string>
  text: string
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Returns how an exchange differs from Harbor's description; an undescribed one differs too. */
export function harborSwagger(): ((exchange: Exchange) => string[]) | undefined {
  if (!existsSync(file)) return undefined
  const document = parse(readFileSync(file, 'utf8')) as Document

  const resolved = <T extends { $ref?: string }>(value: T): T => {
    if (value.$ref === undefined) return value
    const [, kind = '', name = ''] = /^#\/(\w+)\/(.+)$/.exec(value.$ref) ?? []
    const found = (document as unknown as Record<string, Record<string, T>>)[kind]?.[name]
    if (found === undefined) throw new Error(`no ${value.$ref}`)
    return resolved(found)
  }

  function differs(given: unknown, of: Schema | Parameter, at: string): string[] {
    const schema = resolved<Schema | Parameter>(of)
    const wrong = (what: string) => [`${at} ${what}: ${JSON.stringify(given)}`]
    if (schema.enum && !schema.enum.includes(given)) return wrong(`is none of ${schema.enum.join(', ')}`)
    const type = schema.type ?? (schema.properties || schema.additionalProperties ? 'object' : undefined)
    switch (type) {
      case 'integer':
        return Number.isSafeInteger(given) ? range(given as number, schema, at) : wrong('is no integer')
      case 'number':
        return typeof given === 'number' ? range(given, schema, at) : wrong('is no number')
      case 'boolean':
        return typeof given === 'boolean' ? [] : wrong('is no boolean')
      case 'string':
        if (typeof given !== 'string') return wrong('is no string')
        return schema.format === 'date-time' && !moment.test(given) ? wrong('is no moment') : []
      case 'array':
        if (!Array.isArray(given)) return wrong('is no array')
        return given.flatMap((item, index) => differs(item, schema.items ?? {}, `${at}[${index}]`))
      case 'object': {
        const { properties, additionalProperties, required } = schema
        // the generator writes this for values of any kind
        if (properties === undefined && additionalProperties === undefined) return []
        if (typeof given !== 'object' || given === null || Array.isArray(given)) return wrong('is no object')
        const missing = (Array.isArray(required) ? required : [])
          .filter((name) => !(name in given))
          .map((name) => `${at}.${name} is missing`)
        return [
          ...missing,
          ...Object.entries(given).flatMap(([name, value]) => {
            const known = properties?.[name] ?? additionalProperties
            if (known === undefined || known === false) return [`${at}.${name} is not described`]
            return known === true ? [] : differs(value, known, `${at}.${name}`)
          }),
        ]
      }
      default:
        return []
    }
  }

  const range = (given: number, { minimum, maximum }: Pick<Schema, 'minimum' | 'maximum'>, at: string): string[] =>
    (minimum !== undefined && given < minimum) || (maximum !== undefined && given > maximum)
      ? [`${at} is out of range: ${given}`]
      : []

  /** A text from an address or header, converted by its type. */
  const valueOf = ({ type }: Pick<Schema, 'type'>, text: string): unknown =>
    type === 'integer' || type === 'number'
      ? /^-?\d+$/.test(text)
        ? Number(text)
        : text
      : type === 'boolean'
        ? text === 'true'
          ? true
          : text === 'false'
            ? false
            : text
        : text

  function operationOf(method: string, path: string) {
    for (const [template, operations] of Object.entries(document.paths)) {
      const names: string[] = []
      const pattern = template.replaceAll(/\{(\w+)\}|[.*+?^$()|[\]\\]/g, (found, name: string | undefined) => {
        if (name === undefined) return `\\${found}`
        names.push(name)
        return '([^/]+)'
      })
      const found = new RegExp(`^${pattern}$`).exec(path)
      const operation = operations[method.toLowerCase()]
      // a fixed path precedes one with a parameter
      if (!found || !operation || (names.length > 0 && document.paths[path])) continue
      const values = Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? '']))
      const parameters = [...(operations.parameters ?? []), ...(operation.parameters ?? [])].map(resolved)
      return { template, operation, parameters, values }
    }
    return undefined
  }

  function askedWrongly({ url, headers, body }: Exchange, parameters: Parameter[], values: Record<string, string>) {
    const query = parameters.filter((parameter) => parameter.in === 'query')
    const payload = parameters.find((parameter) => parameter.in === 'body')
    const told: string[] = []
    for (const [name, text] of url.searchParams) {
      const known = query.find((parameter) => parameter.name === name)
      told.push(...(known ? differs(valueOf(known, text), known, `query ${name}`) : [`query ${name} is not described`]))
    }
    for (const { name, required } of query)
      if (required === true && !url.searchParams.has(name)) told.push(`query ${name} is missing`)
    for (const [name, text] of Object.entries(headers)) {
      const known = parameters.find((one) => one.in === 'header' && one.name.toLowerCase() === name.toLowerCase())
      if (known) told.push(...differs(valueOf(known, text), known, `header ${name}`))
      else if (/^x-/i.test(name)) told.push(`header ${name} is not described`)
    }
    for (const { name, type } of parameters.filter((parameter) => parameter.in === 'path'))
      if (type === 'integer' && !/^\d+$/.test(values[name] ?? '')) told.push(`path ${name} is no integer`)
    // slashes in a repository's name are encoded twice
    const repository = values['repository_name']
    if (repository !== undefined && /%2f/i.test(repository)) told.push(`repository_name is encoded once: ${repository}`)
    if (body !== undefined && payload?.schema === undefined) told.push('a body is not described')
    if (payload?.required === true && body === undefined) told.push('the body is missing')
    if (body !== undefined && payload?.schema) told.push(...differs(JSON.parse(body), payload.schema, 'body'))
    return told
  }

  function answeredWrongly({ status, answered, text, method }: Exchange, operation: Operation): string[] {
    const described = operation.responses[String(status)]
    if (described === undefined) return [`status ${status} is not described`]
    const { schema, headers = {} } = resolved(described)
    const told: string[] = []
    if (method === 'GET' && headers['X-Total-Count'] && !/^\d+$/.test(answered['x-total-count'] ?? ''))
      told.push('X-Total-Count is missing')
    if (headers['Location'] && status === 201 && answered['location'] === undefined) told.push('Location is missing')
    if (schema === undefined) return text === '' ? told : [...told, `an answer is not described: ${text.slice(0, 100)}`]
    // additions are described as text, but are JSON
    if (schema.type === 'string') return told
    try {
      return [...told, ...differs(JSON.parse(text), schema, 'answer')]
    } catch {
      return [...told, `the answer is no JSON: ${text.slice(0, 100)}`]
    }
  }

  return (exchange) => {
    const { method, url } = exchange
    const call = `${method} ${url.pathname}`
    if (!url.pathname.startsWith(`${document.basePath}/`)) return [`${call}: outside ${document.basePath}`]
    const found = operationOf(method, url.pathname.slice(document.basePath.length))
    if (found === undefined) return [`${call}: no such call`]
    const { operation, parameters, values } = found
    return [...askedWrongly(exchange, parameters, values), ...answeredWrongly(exchange, operation)].map(
      (what) => `${call}: ${what}`,
    )
  }
}

/** An outbound client that records requests and answers. */
export function overheard(outbound: Outbound): { outbound: Outbound; exchanges: Exchange[] } {
  const exchanges: Exchange[] = []
  const requestText: Outbound['requestText'] = async (asked) => {
    const answer = await outbound.requestText(asked)
    exchanges.push({
      method: asked.method ?? 'GET',
      url: new URL(asked.url),
      headers: asked.headers ?? {},
      body: typeof asked.body === 'string' ? asked.body : undefined,
      status: answer.status,
      answered: answer.headers,
      text: answer.text,
    })
    return answer
  }
  return { outbound: { ...outbound, requestText }, exchanges }
}
