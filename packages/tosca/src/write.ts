import type { Outward } from '@gantry/contract/stacks/outward'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { stringify } from 'yaml'
import { nodeTypes } from './template.ts'
import { platformVersion } from './version.ts'

type Fields = Record<string, unknown>

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** A document without default and empty values, in the order of the contract. */
export function leanSpec(spec: ServiceSpec): Fields {
  const usual = ServiceSpec.parse({ image: spec.image }) as Fields
  return Object.fromEntries(
    Object.keys(ServiceSpec.shape).flatMap((key) => {
      const value = (spec as Fields)[key]
      return value === undefined || (key !== 'image' && isSame(value, usual[key])) ? [] : [[key, value]]
    }),
  )
}

/** The name of an input for a secret of a service, different from all existing ones. */
export function nameFor(taken: Set<string>, ...parts: string[]): string {
  const plain = parts
    .join('')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 40)
  const stem = /^[A-Z]/.test(plain) ? plain : `S${plain}`
  let name = stem
  for (let n = 2; taken.has(name); n += 1) name = `${stem}${n}`
  taken.add(name)
  return name
}

/** A specification with inputs in the places of its secrets; adds these inputs. */
function withInputs(service: string, lean: Fields, inputs: Map<string, Fields>): Fields {
  const taken = new Set(inputs.keys())
  const asInput = (...parts: string[]) => {
    const name = nameFor(taken, service, ...parts)
    inputs.set(name, { type: 'secret', description: [service, ...parts].join(' ') })
    return { get_input: name }
  }
  const rows = (list: unknown, field: string, of: (row: Fields) => string[]) =>
    Array.isArray(list)
      ? (list as Fields[]).map((row) =>
          row['secret'] === true && row[field] !== '' ? { ...row, [field]: asInput(...of(row)) } : row,
        )
      : undefined
  const environment = rows(lean['environment'], 'value', (row) => [String(row['name'])])
  const files = rows(lean['files'], 'content', (row) => [String(row['path'])])
  const containers = Array.isArray(lean['containers'])
    ? (lean['containers'] as Fields[]).map((one) => ({
        ...one,
        environment: rows(one['environment'], 'value', (row) => [String(one['name']), String(row['name'])]),
      }))
    : undefined
  return { ...lean, ...(environment && { environment }), ...(files && { files }), ...(containers && { containers }) }
}

/** An `outward` as properties of its node, without empty fields. */
export function leanOutward({ type: _type, ...fields }: Outward): Fields {
  const lean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lean)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).filter(([, one]) => one !== '' && one !== undefined)
    return Object.fromEntries(entries.map(([key, one]) => [key, lean(one)]))
  }
  return lean(fields) as Fields
}

/** The input that supplies a private key at deployment. */
export const keyInput = (service: string, host: string): Fields => ({
  type: 'secret',
  description: `${service} ${host}`,
})

/** An `outward` as a node, with inputs in the places of its private keys. */
function outwardNode(service: string, outward: Outward, inputs: Map<string, Fields>): Fields {
  const taken = new Set(inputs.keys())
  const asInput = (host: string) => {
    const name = nameFor(taken, service, host)
    inputs.set(name, keyInput(service, host))
    return { get_input: name }
  }
  const properties = leanOutward(outward)
  if (outward.type === 'lb' && outward.certificates)
    properties['certificates'] = outward.certificates.map((one) =>
      one.key === '' ? one : { ...one, key: asInput(one.host) },
    )
  if (outward.type === 'ingress')
    properties['hosts'] = outward.hosts.map((one) =>
      one.tls && one.tls.key !== '' ? { ...one, tls: { ...one.tls, key: asInput(one.host) } } : one,
    )
  return { type: nodeTypes[outward.type], properties }
}

export interface WrittenService {
  name: string
  spec: ServiceSpec
  requires: readonly string[]
}

/** A template of these services. Their secrets become inputs, whose values have to be given anew. */
export function writeTemplate(services: readonly WrittenService[], description = ''): string {
  const inputs = new Map<string, Fields>()
  const known = new Set(services.map(({ name }) => name))
  const nodes = services.map(({ name, spec, requires }) => {
    const kept = requires.filter((one) => known.has(one))
    return [
      name,
      {
        ...(spec.outward
          ? outwardNode(name, spec.outward, inputs)
          : { type: nodeTypes.service, properties: withInputs(name, leanSpec(spec), inputs) }),
        ...(kept.length > 0 ? { requirements: kept.map((one) => ({ dependency: one })) } : {}),
      },
    ]
  })
  return stringify(
    {
      tosca_definitions_version: platformVersion,
      ...(description === '' ? {} : { description }),
      topology_template: {
        ...(inputs.size > 0 ? { inputs: Object.fromEntries(inputs) } : {}),
        node_templates: Object.fromEntries(nodes) as Fields,
      },
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  )
}
