import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Access, type Endpoint, permissionsOf } from '@gantry/contract/endpoint'
import { mediaType, tenantHeader } from '@gantry/contract/envelope'
import { z } from 'zod'

type Schema = Record<string, unknown>

/** What zod cannot express in JSON Schema (the result of a transformation) is left open. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Schema
  return rest
}

interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: Schema
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query'): Parameter[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

const partsOf = ({ asks = [] }: Endpoint): string[] =>
  asks.length === 0 ? [] : [`What it does or answers asks for ${asks.join(', ')}`]

/** The `forTokens` of an endpoint, where it does not follow from the access: see Endpoint.forTokens. */
const tokensOf = ({ access, forTokens }: Endpoint): string[] => {
  if (access === 'public' || access === 'agent' || access === 'admin') return []
  if (typeof access === 'object' && !('system' in access)) return forTokens === false ? ['Not by API tokens'] : []
  return forTokens ? ['Also by API tokens, for their team'] : ['Not by API tokens']
}

/** The access in words: the reference shows it, and OpenAPI has no field for it. */
export function accessText(access: Access): string {
  if (access === 'public') return 'Anyone'
  if (access === 'user') return 'Anyone who is signed in'
  if (access === 'admin') return 'System administrators'
  if (access === 'agent') return 'Build agents'
  if ('system' in access) return `System administrators, and holders of the system permission ${access.system}`
  const whose = 'team' in access ? 'the team' : `the team that owns the ${access.owner}`
  const keys = permissionsOf(access)
  if (keys.length === 0) return `Members of ${whose}`
  const otherwise =
    'owner' in access && access.otherwise !== undefined ? `; where it names none, whoever has ${access.otherwise}` : ''
  return `Members of ${whose} with the permission${keys.length > 1 ? 's' : ''} ${keys.join(', ')}${otherwise}`
}

const envelope = (data: Schema): Schema => ({
  type: 'object',
  required: ['status', 'data', 'code', 'message', 'errorMsg'],
  properties: {
    status: { const: 1 },
    data,
    code: { const: 200 },
    message: { const: '' },
    errorMsg: { type: 'null' },
  },
})

const isEmpty = (schema: z.ZodType): boolean => {
  const described = schemaOf(schema, 'input')
  return described['type'] === 'object' && Object.keys(described['properties'] ?? {}).length === 0
}

function bodyOf(endpoint: Endpoint): Schema | undefined {
  if (endpoint.upload !== undefined) return { content: { 'application/octet-stream': { schema: {} } } }
  if (endpoint.method === 'GET' || isEmpty(endpoint.body)) return undefined
  return { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } }
}

const operationId = ({ method, path }: Endpoint): string =>
  `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) => `_${next}`)}`

function operationOf(endpoint: Endpoint): Schema {
  const body = bodyOf(endpoint)
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    description: [accessText(endpoint.access), ...partsOf(endpoint), ...tokensOf(endpoint)]
      .map((line) => `${line}.`)
      .join(' '),
    tags: [
      endpoint.path.split('/')[1] === 'api'
        ? (endpoint.path.split('/')[2] ?? 'api')
        : (endpoint.path.split('/')[1] ?? 'api'),
    ],
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...(body ? { requestBody: body } : {}),
    responses: {
      200: {
        description: 'Done',
        content:
          endpoint.stream === undefined
            ? { 'application/json': { schema: envelope(schemaOf(endpoint.data, 'output')) } }
            : { [endpoint.stream]: { schema: {} } },
      },
      default: { $ref: '#/components/responses/Refused' },
    },
  }
}

const refused: Schema = {
  description: 'Refused: the HTTP status says how, `message` is the key of the text in `errorMsg`',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['status', 'data', 'code', 'message', 'errorMsg'],
        properties: {
          status: { const: 0 },
          data: {
            type: ['array', 'null'],
            items: {
              type: 'object',
              required: ['path', 'key', 'text'],
              properties: { path: { type: 'string' }, key: { type: 'string' }, text: { type: 'string' } },
            },
          },
          code: { type: 'integer' },
          message: { type: 'string' },
          errorMsg: { type: 'string' },
        },
      },
    },
  },
}

const anyOf = (schemas: z.ZodType[]): z.ZodType => z.union([...new Set(schemas)])

/**
 * Calls that share a method and a path are one operation in OpenAPI: it accepts what any of them accepts, and
 * `x-actions` lists them.
 */
function operationOfActions(first: Endpoint, actions: Endpoint[]): Schema {
  const each = actions.map((endpoint): Schema => ({ action: endpoint.action ?? '', ...operationOf(endpoint) }))
  const said = (what: 'summary' | 'description') =>
    each.map((one) => `${one['action'] === '' ? '' : `${String(one['action'])}: `}${String(one[what])}`)
  const named = z.enum(actions.flatMap(({ action }) => action ?? []))
  const inQuery = Object.assign(
    {},
    ...actions.map(({ query }) => (query as z.ZodObject).partial().shape),
  ) as z.ZodRawShape
  const whole = operationOf({
    ...first,
    query: z.object({
      action: actions.some(({ action }) => action === undefined) ? named.optional() : named,
      ...inQuery,
    }),
    body: anyOf(actions.map(({ body }) => body)),
    data: anyOf(actions.map(({ data }) => data)),
  })
  return {
    ...whole,
    summary: said('summary').join('; '),
    description: said('description').join(' '),
    'x-actions': Object.fromEntries(
      each.map(({ action, summary, description, parameters, requestBody }) => [
        action,
        { summary, description, parameters, requestBody },
      ]),
    ),
  }
}

/** OpenAPI 3.1 of the given endpoints. Yields to the event loop after each: all at once would delay other calls. */
export async function openapiOf(
  endpoints: Endpoint[],
  { name, version }: { name: string; version: string },
): Promise<Schema> {
  const paths: Record<string, Record<string, Schema>> = {}
  for (const [first, ...more] of Map.groupBy(endpoints, ({ method, path }) => `${method} ${path}`).values()) {
    if (!first) continue
    const path = first.path.replaceAll(/:(\w+)/g, '{$1}')
    const operation =
      first.action === undefined && more.length === 0 ? operationOf(first) : operationOfActions(first, [first, ...more])
    ;(paths[path] ??= {})[first.method.toLowerCase()] = operation
    await nextTurn()
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${name} API`,
      version,
      description: `Every answer is the envelope {status, data, code, message, errorMsg}. Send a token as \`Authorization: Bearer\`; \`${tenantHeader}\` narrows lists to a team; \`Accept: ${mediaType}\` names the version.`,
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A session or an API token' } },
      responses: { Refused: refused },
    },
    paths,
  }
}
