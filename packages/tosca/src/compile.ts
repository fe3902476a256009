import { entriesOf } from '@gantry/contract/stacks/outward'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { mask } from '@gantry/contract/validators'
import { circles } from './circles.ts'
import { flatIssue, keyAt, phraseOf, type Problem, type Vars } from './problems.ts'
import { lookAtSecrets } from './secrets.ts'
import { isService, type Policy, propertyAt, type ReadTemplate, readTemplate, type TemplateNode } from './template.ts'
import { evaluate, type Evaluated, type InputValue, type Inputs, type Value, valueAs } from './values.ts'

/** A service as it will run. */
export interface CompiledService {
  name: string
  spec: ServiceSpec
  /** Services that start before it. */
  requires: string[]
}

/** A problem of a value that was given for an input. */
export interface InputProblem {
  name: string
  key: string
  vars: Vars
}

export interface Compiled {
  services: CompiledService[]
  outputs: { name: string; description: string; value: string }[]
  /** The effective values, secrets masked. */
  inputs: Record<string, InputValue>
  inputProblems: InputProblem[]
}

export interface CompileInput {
  values: Readonly<Record<string, unknown>>
  /** A secret input without a value keeps the services' present secret; only for services that exist already. */
  keepSecrets?: boolean
}

type Fields = { [key: string]: Value }
const fieldsOf = (value: Value): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
const listOf = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : [])

function readInputs(
  { template }: ReadTemplate,
  given: CompileInput | undefined,
): { inputs: Inputs; problems: InputProblem[] } {
  const problems: InputProblem[] = []
  const inputs = new Map<string, { type: (typeof template.inputs)[number]['type']; value: InputValue | undefined }>()
  const values = new Map(Object.entries(given?.values ?? {}))
  for (const { name, type, default: fallback, required, values: allowed } of template.inputs) {
    const input = values.get(name)
    values.delete(name)
    const isGiven =
      input !== undefined && input !== null && !(input === '' && (type !== 'string' || fallback !== undefined))
    const wanted = isGiven ? input : fallback
    let value = wanted === undefined ? undefined : valueAs(type, wanted)
    if (given && wanted !== undefined && value === undefined)
      problems.push({ name, key: 'blueprints-input-type', vars: { name, type } })
    else if (value !== undefined && isGiven && allowed && !allowed.some((one) => String(one) === String(value)))
      problems.push({ name, key: 'blueprints-input-value', vars: { name, values: allowed.join(', ').slice(0, 200) } })
    else if (given && value === undefined) {
      if (type === 'secret' && given.keepSecrets) value = mask
      else if (!required && (type === 'string' || type === 'secret')) value = ''
      else problems.push({ name, key: 'blueprints-input-missing', vars: { name } })
    }
    inputs.set(name, { type, value })
  }
  for (const name of values.keys())
    problems.push({ name, key: 'blueprints-input-unknown', vars: { name: name.slice(0, 60) } })
  return { inputs, problems }
}

interface Draft {
  node: TemplateNode
  evaluated: Evaluated
  document: Fields
  /** The node of each entry that another node adds, by the entry's path in the document. */
  from: Map<string, { node: string }>
}

const putIn = (document: Fields, list: string, entry: Value): number => {
  const entries = [...listOf(document[list]), entry]
  document[list] = entries
  return entries.length - 1
}

/** The document of a node that runs no pods. */
function outwardDraft(node: TemplateNode, { value, open, secret }: Evaluated): Draft {
  const within = (paths: PropertyKey[][]) => paths.map((path) => ['outward', ...path])
  return {
    node,
    evaluated: { value, open: within(open), secret: within(secret) },
    document: { outward: { type: node.kind, ...fieldsOf(value) } },
    from: new Map(),
  }
}

/** A service's document, completed with the volumes and files that the service requires. */
function draftOf(
  read: ReadTemplate,
  node: TemplateNode,
  nodes: ReadonlyMap<string, TemplateNode>,
  inputs: Inputs,
): Draft {
  const { tell } = read.problems
  const evaluated = evaluate(node.properties, inputs)
  if (node.kind !== 'service') return outwardDraft(node, evaluated)
  const document = { ...fieldsOf(evaluated.value) }
  const from = new Map<string, { node: string }>()
  for (const { name, node: target, properties, at } of node.requirements) {
    const other = nodes.get(target)
    const wanted = name === 'storage' ? 'volume' : name === 'config' ? 'config' : 'service'
    const fits = other && (wanted === 'service' ? isService(other.kind) : other.kind === wanted)
    if (!fits) {
      tell(at, other ? `blueprints-tosca-requires-${wanted}` : 'blueprints-tosca-requires-nothing', {
        name: node.name,
        target: target.slice(0, 60),
      })
      continue
    }
    if (wanted === 'service') {
      if (target === node.name) tell(at, 'blueprints-tosca-requires-itself', { name: target })
      continue
    }
    const own = evaluate(other.properties, inputs)
    const list = wanted === 'volume' ? 'volumes' : 'files'
    const place = evaluate(properties, inputs).value
    const named = wanted === 'volume' ? { name: target } : {}
    const index = putIn(document, list, { ...named, ...fieldsOf(own.value), ...fieldsOf(place) })
    from.set(`${list}.${index}`, { node: target })
    for (const paths of ['open', 'secret'] as const)
      evaluated[paths].push(...own[paths].map((path) => [list, index, ...path]))
  }
  return { node, evaluated, document, from }
}

/** Applies a placement policy: its services run apart from each other, or together. */
function place(read: ReadTemplate, { kind, targets, at }: Policy, drafts: ReadonlyMap<string, Draft>): void {
  for (const target of targets) {
    const draft = drafts.get(target)
    if (draft?.node.kind !== 'service') {
      read.problems.tell(at, 'blueprints-tosca-policy-target', { target: target.slice(0, 60) })
      continue
    }
    const placement = fieldsOf(draft.document['placement'] ?? {})
    const others = targets.filter((one) => one !== target && drafts.has(one))
    draft.document['placement'] = { ...placement, [kind]: [...new Set([...listOf(placement[kind]), ...others])] }
  }
}

const begins = (path: readonly PropertyKey[], with_: readonly PropertyKey[]): boolean =>
  with_.every((key, at) => String(path[at]) === String(key))

/** Checks a service's document, and reports each issue at its place in the template. */
function specOf(read: ReadTemplate, { node, evaluated, document, from }: Draft): ServiceSpec | undefined {
  const result = ServiceSpec.safeParse(document)
  if (result.success) return result.data
  for (const issue of result.error.issues.map(flatIssue)) {
    // the value depends on an input that has no value yet
    if (
      evaluated.open.some((path) => begins(issue.path, path) || (issue.code === 'custom' && begins(path, issue.path)))
    )
      continue
    const other = from.get(issue.path.slice(0, 2).join('.'))
    const path = other ? issue.path.slice(2) : issue.path
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const stands = propertyAt(read.document, other?.node ?? node.name, path)
    const at = unknown === undefined ? stands : keyAt(stands, unknown)
    const missing =
      issue.path.reduce<unknown>(
        (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
        document,
      ) === undefined
    const [key, vars] = phraseOf(issue, missing)
    const where = `${node.name}${issue.path.length > 0 ? `.${issue.path.join('.')}` : ''}`
    read.problems.tell(at ?? node.at, 'blueprints-tosca-property', { where }, { key, vars })
  }
  return undefined
}

/** Checks among all services for names that must differ and names that must exist. */
function lookAmong(read: ReadTemplate, drafts: ReadonlyMap<string, Draft>): void {
  const { tell } = read.problems
  const holders = new Map<string, string>()
  for (const { node, document, from } of drafts.values()) {
    for (const [at, volume] of listOf(document['volumes']).entries()) {
      const { name, type } = fieldsOf(volume)
      const place = from.has(`volumes.${at}`) ? node.at : propertyAt(read.document, node.name, ['volumes', at, 'name'])
      if (typeof name === 'string' && drafts.has(name))
        tell(place, 'blueprints-tosca-volume-named-as-service', { name })
      if (!from.has(`volumes.${at}`) || typeof name !== 'string' || type === 'existing') continue
      const holder = holders.get(name)
      if (holder !== undefined) tell(place, 'blueprints-tosca-volume-of-two', { name, one: holder, other: node.name })
      holders.set(name, node.name)
    }
    for (const [at, one] of listOf(document['containers']).entries())
      if (fieldsOf(one)['name'] === node.name)
        tell(propertyAt(read.document, node.name, ['containers', at, 'name']), 'stacks-container-named-as-service', {
          name: node.name,
        })
    for (const side of ['beside', 'apart'] as const)
      for (const [at, one] of listOf(fieldsOf(document['placement'] ?? {})[side]).entries())
        if (typeof one === 'string' && !drafts.has(one))
          tell(propertyAt(read.document, node.name, ['placement', side, at]), 'blueprints-tosca-neighbour', {
            name: one.slice(0, 60),
          })
  }
}

/** Reports ways in that do not lead to a service of the template. */
function lookAtTargets(
  { document, problems }: ReadTemplate,
  name: string,
  { outward }: ServiceSpec,
  drafts: ReadonlyMap<string, Draft>,
): void {
  for (const { targets, at } of entriesOf(outward))
    for (const [row, { service }] of targets.entries()) {
      const kind = drafts.get(service)?.node.kind
      if (kind === 'service' || kind === 'external') continue
      const path = outward?.type === 'lb' ? [...at, 'targets', row, 'service'] : [...at, 'service']
      problems.tell(propertyAt(document, name, ['outward', ...path]), 'blueprints-tosca-neighbour', {
        name: service.slice(0, 60),
      })
    }
}

/** The most services of a template: they are created in one transaction. */
export const maxServices = 200

/** Compiles a template and reports every problem; `given` are the inputs of a deployment. */
export function compile(read: ReadTemplate, given?: CompileInput): Compiled {
  const { template, problems } = read
  const { inputs, problems: inputProblems } = readInputs(read, given)
  const nodes = new Map(template.nodes.map((node) => [node.name, node]))
  const services = template.nodes.filter(({ kind }) => isService(kind))
  if (services.length > maxServices)
    problems.tell(services[maxServices]?.at, 'blueprints-tosca-too-many', { most: maxServices })
  const drafts = new Map(services.slice(0, maxServices).map((node) => [node.name, draftOf(read, node, nodes, inputs)]))
  for (const policy of template.policies) place(read, policy, drafts)
  const compiled: CompiledService[] = []
  for (const draft of drafts.values()) {
    const { node, evaluated, document, from } = draft
    lookAtSecrets(read, node, document, evaluated.secret, from)
    const spec = specOf(read, draft)
    const requires = node.requirements.filter(({ name, node: target }) => name === 'dependency' && drafts.has(target))
    if (spec) lookAtTargets(read, node.name, spec, drafts)
    if (spec) compiled.push({ name: node.name, spec, requires: [...new Set(requires.map((one) => one.node))] })
  }
  lookAmong(read, drafts)
  for (const circle of circles(services))
    problems.tell(circle.at, 'blueprints-tosca-circle', { circle: circle.names.join(' → ').slice(0, 300) })
  const masked = new Map(
    [...inputs].map(([name, { type, value }]) => [
      name,
      type === 'secret' && value !== undefined ? { type, value: mask } : { type, value },
    ]),
  )
  return {
    services: compiled,
    outputs: template.outputs.map(({ name, description, value }) => ({
      name,
      description,
      value: String(evaluate(value, masked).value ?? ''),
    })),
    inputs: Object.fromEntries(
      [...masked].flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
    ),
    inputProblems,
  }
}

export interface Checked extends Compiled {
  template: Pick<ReadTemplate['template'], 'version' | 'description' | 'inputs'>
  problems: Problem[]
}

/**
 * A service's document as an editor shows it, whatever the node's type: secrets masked, inputs at their defaults,
 * without the entries that other nodes add.
 */
export function documentOf(
  text: string,
  name: string,
): { document: Record<string, Value>; inputs: Inputs } | undefined {
  const read = readTemplate(text)
  const node = read.template.nodes.find((one) => one.name === name && isService(one.kind))
  const { inputs } = readInputs(read, undefined)
  const masked: Inputs = new Map(
    [...inputs].map(([key, { type, value }]) => [key, { type, value: type === 'secret' ? mask : value }]),
  )
  if (!node) return undefined
  const properties = fieldsOf(evaluate(node.properties, masked).value)
  const document = node.kind === 'service' ? properties : { outward: { type: node.kind, ...properties } }
  return { document, inputs: masked }
}

/** The content of a template and all its problems. */
export function checkTemplate(text: string, given?: CompileInput): Checked {
  const read = readTemplate(text)
  const compiled = compile(read, given)
  const { version, description, inputs } = read.template
  return {
    ...compiled,
    template: { version, description, inputs },
    problems: read.problems.found.toSorted((a, b) => a.line - b.line || a.column - b.column),
  }
}
