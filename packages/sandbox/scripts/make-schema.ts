import { writeFileSync } from 'node:fs'
import { accessOf, client, type Json } from '../src/conformance/trial/client.ts'
import { apiVersionOf, kinds } from '../src/objects/kinds.ts'

/**
 * Generates src/objects/schema.gen.json from a real cluster: the fields of every kind in the sandbox, with the merge
 * rules of lists and maps for server-side apply. Run this after a change of kinds.ts:
 *
 * node packages/sandbox/scripts/make-schema.ts <kubeconfig> <folder of kubectl>
 */
const [, , kubeconfig = '', bin = ''] = process.argv
const kube = client(accessOf(kubeconfig, bin))

const prefix = '#/components/schemas/'
const short = (name: string): string => name.split('.').slice(-3).join('.')

const scalars: Record<string, string> = {
  'api.resource.Quantity': 'q',
  'util.intstr.IntOrString': 'o',
  'meta.v1.Time': 't',
  'meta.v1.MicroTime': 't',
  'meta.v1.FieldsV1': 'x',
  'pkg.runtime.RawExtension': 'x',
}

const formats: Record<string, string> = { int32: 'i', int64: 'l', byte: 'y', double: 'n', 'date-time': 't' }

const defs: Record<string, { f: Record<string, string>; r?: string[]; d?: Record<string, unknown> }> = {}
/** Whether these are schemas of custom kinds; those of others say `default` of any field that is never absent. */
let custom = false
let schemas: Record<string, Json> = {}

/** `at` names the type of an object that is described in place, as those of custom resources are. */
function typeOf(schema: Json, at: string): string {
  const ref: string | undefined = schema.$ref ?? schema.allOf?.[0]?.$ref
  if (ref !== undefined) {
    const name = ref.slice(prefix.length)
    const scalar = scalars[short(name)]
    if (scalar) return scalar
    define(name)
    const atomic = (schema['x-kubernetes-map-type'] ?? schemas[name]['x-kubernetes-map-type']) === 'atomic'
    return `${atomic ? '!' : ''}@${short(name)}`
  }
  if (schema.type === 'array') {
    const keys: string[] | undefined = schema['x-kubernetes-list-map-keys']
    const kind =
      schema['x-kubernetes-list-type'] === 'set'
        ? '='
        : keys && schema['x-kubernetes-list-type'] === 'map'
          ? keys.join(',')
          : ''
    return `[${kind}]${typeOf(schema.items, at)}`
  }
  if (schema.type === 'object') {
    const atomic = schema['x-kubernetes-map-type'] === 'atomic' ? '!' : ''
    if (schema.additionalProperties) return `{${atomic}}${typeOf(schema.additionalProperties, at)}`
    if (!schema.properties) return 'x'
    describe(at, schema)
    return `${atomic}@${at}`
  }
  if (schema.type === 'boolean') return 'b'
  return formats[schema.format] ?? { string: 's', integer: 'l', number: 'n' }[schema.type as string] ?? 'x'
}

function define(name: string): void {
  if (!defs[short(name)]) describe(short(name), schemas[name])
}

function describe(name: string, schema: Json): void {
  const def: (typeof defs)[string] = (defs[name] = { f: {} })
  for (const [field, one] of Object.entries(schema.properties ?? {})) def.f[field] = typeOf(one, `${name}.${field}`)
  if (schema.required?.length > 0) def.r = schema.required
  const given = Object.entries<Json>(schema.properties ?? {}).filter(([, one]) => one.default !== undefined)
  if (custom && given.length > 0) def.d = Object.fromEntries(given.map(([field, one]) => [field, one.default]))
}

const roots: Record<string, string> = {}
for (const groupVersion of new Set(kinds.map(apiVersionOf))) {
  const path = groupVersion.includes('/') ? `apis/${groupVersion}` : `api/${groupVersion}`
  ;({ schemas } = (await kube.call('GET', `/openapi/v3/${path}`)).body.components)
  for (const [name, schema] of Object.entries(schemas))
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
      const found = kinds.find((one) => one.group === group && one.version === version && one.kind === kind)
      if (!found) continue
      ;({ custom } = found)
      define(name)
      roots[found.resource] = short(name)
    }
}
const text = JSON.stringify({ roots, defs })
writeFileSync(new URL('../src/objects/schema.gen.json', import.meta.url), `${text}\n`)
process.stdout.write(`${Object.keys(roots).length} kinds, ${Object.keys(defs).length} types, ${text.length} bytes\n`)
