import { serviceName } from '@gantry/contract/validators'
import { isMap, isScalar, isSeq, type Document, type Node } from 'yaml'
import { nodeAt, type Problem, type Problems, valueIssue } from './problems.ts'
import { type Entry, openReading, type Reading } from './reading.ts'
import { readText } from './text.ts'
import { callIn, functions, type InputType, inputTypes, type TemplateInput, type Value, valueAs } from './values.ts'
import { platformVersion, versionParts } from './version.ts'

/** The kinds of nodes in a template. */
export const nodeTypes = {
  service: 'gantry.nodes.Service',
  external: 'gantry.nodes.External',
  lb: 'gantry.nodes.LoadBalancer',
  ingress: 'gantry.nodes.Ingress',
  volume: 'gantry.nodes.Volume',
  config: 'gantry.nodes.Config',
} as const
export type NodeKind = keyof typeof nodeTypes

/** Nodes that become services, including those that run no pods. */
export const isService = (kind: NodeKind): boolean => kind !== 'volume' && kind !== 'config'

export const policyTypes = { apart: 'gantry.policies.Apart', beside: 'gantry.policies.Beside' } as const

/** What a service may require: another service that starts before it, or a volume or file of its own. */
export const requirementNames = ['dependency', 'storage', 'config'] as const

export interface Requirement {
  name: (typeof requirementNames)[number]
  node: string
  /** Where the volume or file is mounted. */
  properties: Value
  at: Node
}

export interface TemplateNode {
  name: string
  kind: NodeKind
  description: string
  properties: Value
  requirements: Requirement[]
  at: Node
}

export interface Policy {
  kind: keyof typeof policyTypes
  targets: string[]
  at: Node
}

export interface Template {
  version: string
  description: string
  inputs: TemplateInput[]
  nodes: TemplateNode[]
  policies: Policy[]
  outputs: { name: string; description: string; value: Value }[]
}

export interface ReadTemplate {
  template: Template
  document: Document
  problems: Problems
}

const refused = [
  'imports',
  'node_types',
  'relationship_types',
  'capability_types',
  'interface_types',
  'data_types',
  'artifact_types',
  'policy_types',
  'group_types',
  'repositories',
  'dsl_definitions',
  'namespace',
]
const refusedInTopology = ['workflows', 'substitution_mappings', 'relationship_templates', 'groups']
const refusedInNode = ['interfaces', 'artifacts', 'capabilities', 'directives', 'copy', 'node_filter', 'attributes']

interface Looking extends Problems {
  reading: Reading
  document: Document
}

/** Reports TOSCA keywords that templates do not support, by name. */
function refuse({ tell }: Looking, node: unknown, names: readonly string[]): void {
  if (!isMap(node)) return
  for (const { key } of node.items)
    if (isScalar(key) && names.includes(String(key.value)))
      tell(key, 'blueprints-tosca-refused', { name: String(key.value) })
}

const plain = (node: Node | null | undefined, document: Document): Value =>
  node === undefined || node === null ? null : (node.toJS(document) as Value)

/** Checks the functions in a value: they must be known, and their inputs must exist. */
function lookAtCalls(look: Looking, node: unknown, inputs: ReadonlySet<string>): void {
  if (isSeq(node)) for (const one of node.items) lookAtCalls(look, one, inputs)
  if (!isMap(node)) return
  const [first, ...more] = node.items
  const name = first && isScalar(first.key) && more.length === 0 ? String(first.key.value) : ''
  if (/^(get_|token$|join$|select$|\$)/.test(name) && !functions.some((one) => one === name)) {
    look.tell(first?.key as Node, 'blueprints-tosca-function', { name: name.slice(0, 60), known: functions.join(', ') })
    return
  }
  if (name === 'get_input') {
    const { value } = first ?? {}
    if (!isScalar(value) || typeof value.value !== 'string') look.tell(node, 'blueprints-tosca-get-input')
    else if (!inputs.has(value.value))
      look.tell(value, 'blueprints-tosca-input-unknown', { name: value.value.slice(0, 60) })
    return
  }
  if (name === 'concat') {
    const { value } = first ?? {}
    const fits = (part: unknown) =>
      (isScalar(part) && part.value !== null) || (isMap(part) && callIn(plain(part, look.document)))
    if (!isSeq(value) || value.items.length === 0 || !value.items.every(fits)) {
      look.tell(node, 'blueprints-tosca-concat')
      return
    }
  }
  for (const { value } of node.items) lookAtCalls(look, value, inputs)
}

const inputName = /^[A-Z][A-Z0-9]{0,49}$/

function readInput(look: Looking, name: string, entry: Entry): TemplateInput {
  const { reading, tell, document } = look
  if (!inputName.test(name)) tell(entry.key, 'blueprints-tosca-input-name', { name: name.slice(0, 60) })
  const what = `input ${name}`
  const parts = reading.entries(entry.value, entry.key, what, [
    'type',
    'description',
    'default',
    'required',
    'constraints',
    'metadata',
  ])
  const typeText = reading.text(parts.get('type'), `${what}: type`) ?? 'string'
  const type: InputType = inputTypes.find((one) => one === typeText) ?? 'string'
  if (type !== typeText)
    tell(parts.get('type')?.value, 'blueprints-tosca-input-type', {
      name,
      type: typeText.slice(0, 60),
      known: inputTypes.join(', '),
    })
  let values: Value[] | undefined
  for (const one of reading.list(parts.get('constraints')?.value, `${what}: constraints`)) {
    const constraint = reading.entries(one, one, `${what}: constraints`, ['valid_values'])
    const allowed = constraint.get('valid_values')
    if (allowed) values = reading.list(allowed.value, 'valid_values').map((item) => plain(item, document))
  }
  const given = parts.get('default')
  const fallback = given && plain(given.value, document)
  if (given && fallback !== null && valueAs(type, fallback) === undefined)
    tell(given.value, 'blueprints-tosca-default-type', { name, type })
  if (given && type === 'secret') tell(given.key, 'blueprints-tosca-default-secret', { name })
  if (given && values && !values.includes(fallback ?? null))
    tell(given.value, 'blueprints-tosca-default-value', { name, values: values.join(', ').slice(0, 200) })
  return {
    name,
    type,
    description: reading.text(parts.get('description'), `${what}: description`) ?? '',
    default: fallback ?? undefined,
    required: reading.truth(parts.get('required'), `${what}: required`) ?? true,
    values,
  }
}

function readRequirement(look: Looking, one: Node, of: string): Requirement[] {
  const { reading, tell, document } = look
  return [...reading.entries(one, one, `${of}: requirements`)].flatMap(([given, entry]) => {
    const name = requirementNames.find((known) => known === given)
    if (name === undefined) {
      tell(entry.key, 'blueprints-tosca-requirement-name', {
        name: given.slice(0, 60),
        known: requirementNames.join(', '),
      })
      return []
    }
    if (isScalar(entry.value) && typeof entry.value.value === 'string')
      return [{ name, node: entry.value.value, properties: {}, at: entry.value }]
    const parts = reading.entries(entry.value, entry.key, `${of}: ${given}`, ['node', 'properties'])
    const target = parts.get('node')
    const node = reading.text(target, `${of}: ${given}: node`)
    if (node === undefined) {
      if (!target) tell(entry.key, 'blueprints-tosca-requirement-node', { name: given })
      return []
    }
    return [
      { name, node, properties: plain(parts.get('properties')?.value, document) ?? {}, at: target?.value ?? entry.key },
    ]
  })
}

const nodeKinds = new Map<string, NodeKind>(Object.entries(nodeTypes).map(([kind, type]) => [type, kind as NodeKind]))

function readNode(look: Looking, name: string, entry: Entry, inputs: ReadonlySet<string>): TemplateNode | undefined {
  const { reading, tell, document } = look
  const what = name.slice(0, 60)
  const wrong = serviceName.safeParse(name).error?.issues[0]
  if (wrong) tell(entry.key, ...valueIssue(wrong))
  refuse(look, entry.value, refusedInNode)
  const parts = reading.entries(entry.value, entry.key, what, [
    'type',
    'description',
    'metadata',
    'properties',
    'requirements',
    ...refusedInNode,
  ])
  const typeEntry = parts.get('type')
  const type = reading.text(typeEntry, `${what}: type`)
  const kind = nodeKinds.get(type ?? '')
  if (kind === undefined) {
    const known = [...nodeKinds.keys()].join(', ')
    if (type === undefined) tell(entry.key, 'blueprints-tosca-node-type-missing', { name: what, known })
    else tell(typeEntry?.value, 'blueprints-tosca-node-type', { type: type.slice(0, 60), known })
    return undefined
  }
  const properties = parts.get('properties')?.value
  if (properties) reading.entries(properties, entry.key, `${what}: properties`)
  lookAtCalls(look, properties, inputs)
  const requirements = parts.get('requirements')
  if (requirements && !isService(kind)) tell(requirements.key, 'blueprints-tosca-requirements-only-services')
  const required = isService(kind)
    ? reading.list(requirements?.value, `${what}: requirements`).flatMap((one) => readRequirement(look, one, what))
    : []
  // a node that runs no pods has nowhere to mount a volume or a file
  const misplaced = kind === 'service' ? [] : required.filter((one) => one.name !== 'dependency')
  for (const { at } of misplaced) tell(at, 'blueprints-tosca-requirements-only-services')
  return {
    name,
    kind,
    description: reading.text(parts.get('description'), `${what}: description`) ?? '',
    properties: plain(properties, document) ?? {},
    requirements: required.filter((one) => !misplaced.includes(one)),
    at: entry.key,
  }
}

function readPolicies(look: Looking, node: Node | null | undefined): Policy[] {
  const { reading, tell, document } = look
  return reading.list(node, 'policies').flatMap((one) =>
    [...reading.entries(one, one, 'policies')].flatMap(([name, entry]) => {
      const parts = reading.entries(entry.value, entry.key, name, ['type', 'description', 'metadata', 'targets'])
      const type = reading.text(parts.get('type'), `${name}: type`) ?? ''
      const kind = Object.entries(policyTypes).find(([, known]) => known === type)?.[0] as Policy['kind'] | undefined
      if (kind === undefined) {
        tell(parts.get('type')?.value ?? entry.key, 'blueprints-tosca-policy-type', {
          type: type.slice(0, 60),
          known: Object.values(policyTypes).join(', '),
        })
        return []
      }
      const targets = reading.list(parts.get('targets')?.value, `${name}: targets`)
      if (targets.length < 2) tell(parts.get('targets')?.key ?? entry.key, 'blueprints-tosca-policy-targets')
      return [{ kind, targets: targets.map((target) => String(plain(target, document))), at: entry.key }]
    }),
  )
}

const topologyKeys = ['description', 'inputs', 'node_templates', 'policies', 'outputs']

function readTopology(
  look: Looking,
  entry: Entry | undefined,
): Pick<Template, 'inputs' | 'nodes' | 'policies' | 'outputs'> {
  const { reading, document } = look
  refuse(look, entry?.value, refusedInTopology)
  const parts = reading.entries(entry?.value, entry?.key, 'topology_template', [...topologyKeys, ...refusedInTopology])
  const inputs = [...reading.entries(parts.get('inputs')?.value, entry?.key, 'inputs')].map(([name, one]) =>
    readInput(look, name, one),
  )
  const known = new Set(inputs.map(({ name }) => name))
  const nodes = [...reading.entries(parts.get('node_templates')?.value, entry?.key, 'node_templates')].flatMap(
    ([name, one]) => readNode(look, name, one, known) ?? [],
  )
  const outputs = [...reading.entries(parts.get('outputs')?.value, entry?.key, 'outputs')].map(([name, one]) => {
    const output = reading.entries(one.value, one.key, name, ['description', 'value'])
    lookAtCalls(look, output.get('value')?.value, known)
    return {
      name,
      description: reading.text(output.get('description'), `${name}: description`) ?? '',
      value: plain(output.get('value')?.value, document),
    }
  })
  return { inputs, nodes, policies: readPolicies(look, parts.get('policies')?.value), outputs }
}

/** Reads a template's structure. `compile` checks the parts against each other. */
export function readTemplate(text: string): ReadTemplate {
  const { document, problems } = readText(text)
  const nothing: Template = {
    version: platformVersion,
    description: '',
    inputs: [],
    nodes: [],
    policies: [],
    outputs: [],
  }
  if (problems.found.length > 0) return { template: nothing, document, problems }
  const look: Looking = { ...problems, reading: openReading(problems), document }
  const { reading, tell } = look
  refuse(look, document.contents, refused)
  const parts = reading.entries(document.contents, 0, 'template', [
    'tosca_definitions_version',
    'description',
    'metadata',
    'topology_template',
    ...refused,
  ])
  const version = reading.text(parts.get('tosca_definitions_version'), 'tosca_definitions_version')
  if (version === undefined || versionParts(version) === undefined)
    tell(parts.get('tosca_definitions_version')?.value ?? 0, 'blueprints-tosca-version', { platform: platformVersion })
  if (!parts.has('topology_template')) tell(document.contents, 'blueprints-tosca-no-topology')
  return {
    template: {
      version: version ?? platformVersion,
      description: reading.text(parts.get('description'), 'description') ?? '',
      ...readTopology(look, parts.get('topology_template')),
    },
    document,
    problems,
  }
}

/**
 * The node of a property, or its nearest existing ancestor. `outward` is one key of a service's document, but in the
 * template its fields are all of the node's properties.
 */
export const propertyAt = (document: Document, node: string, path: readonly PropertyKey[]): Node | undefined =>
  nodeAt(document, [
    'topology_template',
    'node_templates',
    node,
    'properties',
    ...(path[0] === 'outward' ? path.slice(1) : path),
  ])

export type { Problem }
