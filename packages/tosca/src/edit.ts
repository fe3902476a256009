import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { mask } from '@gantry/contract/validators'
import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { nodeTypes, type NodeKind } from './template.ts'
import { callIn, evaluate, type Inputs, type Value } from './values.ts'
import { keyInput, leanOutward, leanSpec, nameFor } from './write.ts'

/**
 * Edits parts of a template. Everything else stays as it was written: comments, order, unknown keys, and the functions
 * of unchanged values.
 */
const open = (text: string): Document => parseDocument(text, { uniqueKeys: false, version: '1.2' })
const close = (document: Document): string => document.toString({ lineWidth: 0 })

const nodes = ['topology_template', 'node_templates'] as const

/** Raises a template's version without changing any other character. */
export function raiseVersion(text: string, version: string): string {
  const node = open(text).get('tosca_definitions_version', true)
  const [from, to] = (isScalar(node) && node.range) || [0, 0]
  return `${text.slice(0, from)}${version}${text.slice(to)}`
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Path = (string | number)[]

/** A part of a document as it is written, and what it means: functions evaluated, defaults filled in. */
interface Part {
  written: Value | undefined
  means: unknown
}

const partOf = ({ written, means }: Part, key: string | number): Part => {
  const within = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
  return { written: within(written) as Value | undefined, means: within(means) }
}

/** Writes only values whose meaning has changed, and leaves the others as they are written. */
function put(document: Document, path: Path, standing: Part, value: unknown): void {
  const { written, means } = standing
  if (isSame(means, value)) return
  if (isFields(written) && isFields(value) && callIn(written) === undefined) {
    for (const key of Object.keys(written))
      if (value[key] === undefined && !key.startsWith('x-')) document.deleteIn([...path, key])
    for (const [key, one] of Object.entries(value))
      if (one !== undefined) put(document, [...path, key], partOf(standing, key), one)
  } else if (Array.isArray(written) && Array.isArray(value)) {
    for (let at = written.length - 1; at >= value.length; at -= 1) document.deleteIn([...path, at])
    for (const [at, one] of value.entries()) put(document, [...path, at], partOf(standing, at), one)
  } else document.setIn(path, document.createNode(value))
}

/** The meaning of a node's properties, as far as they are valid. */
function meaningOf(kind: NodeKind, value: Value): unknown {
  if (kind === 'service') return ServiceSpec.safeParse(value).data ?? value
  const { outward } = ServiceSpec.safeParse({ outward: { type: kind, ...(isFields(value) ? value : {}) } }).data ?? {}
  return outward ? leanOutward(outward) : value
}

/**
 * Adds a service, or changes it. `inputs` are the values with which the remaining functions were evaluated. A masked
 * private key comes from a secret input at deployment: a new one gets an input of its own.
 */
export function putService(text: string, name: string, spec: ServiceSpec, inputs: Inputs): string {
  const document = open(text)
  const { outward } = spec
  const kind = outward?.type ?? 'service'
  const path = [...nodes, name]
  if (!document.hasIn(path)) {
    const made = { type: nodeTypes[kind], properties: outward ? leanOutward(outward) : leanSpec(spec) }
    const all = document.getIn(nodes, true)
    if (isMap(all)) all.flow = false
    document.setIn(path, document.createNode(made))
  } else {
    const at = [...path, 'properties']
    const stands = document.getIn(at, true)
    const written = isMap(stands) ? (stands.toJS(document) as Value) : {}
    const means = meaningOf(kind, evaluate(written, inputs).value)
    put(document, at, { written, means }, outward ? leanOutward(outward) : spec)
  }
  for (const [host, key] of keysOf(spec))
    if (document.getIn([...path, ...key]) === mask) askFor(document, name, host, [...path, ...key])
  return close(document)
}

/** The paths of a way in's private keys, with the host of each. */
const keysOf = ({ outward }: ServiceSpec): [host: string, path: Path][] => {
  if (outward?.type === 'lb')
    return (outward.certificates ?? []).map(({ host }, at) => [host, ['properties', 'certificates', at, 'key']])
  if (outward?.type === 'ingress')
    return outward.hosts.flatMap(({ host, tls }, at) =>
      tls ? [[host, ['properties', 'hosts', at, 'tls', 'key']]] : [],
    )
  return []
}

const inputsPath = ['topology_template', 'inputs'] as const

/** Adds a secret input, and takes the value at the path from it. */
function askFor(document: Document, name: string, host: string, path: Path): void {
  const known = document.getIn(inputsPath, true)
  const taken = new Set(isMap(known) ? known.items.map(({ key }) => String(key)) : [])
  const input = nameFor(taken, name, host)
  document.setIn([...inputsPath, input], document.createNode(keyInput(name, host)))
  document.setIn(path, document.createNode({ get_input: input }))
}

/** The node that an entry of `requirements` names. */
function targetOf(entry: unknown, document: Document): string {
  const [pair] = isMap(entry) ? entry.items : []
  const { value } = pair ?? {}
  if (isScalar(value)) return String(value.value)
  return isMap(value) ? String((value.toJS(document) as Record<string, unknown>)['node'] ?? '') : ''
}

function dropRequirements(document: Document, name: string, of: (target: string) => boolean): void {
  const path = [...nodes, name, 'requirements']
  const list = document.getIn(path, true)
  if (!isSeq(list)) return
  list.items = list.items.filter((entry) => !of(targetOf(entry, document)))
  if (list.items.length === 0) document.deleteIn(path)
}

/** Removes a node, other nodes' requirements of it, and its mentions in policies. */
export function removeNode(text: string, name: string): string {
  const document = open(text)
  document.deleteIn([...nodes, name])
  const all = document.getIn(nodes, true)
  if (isMap(all))
    for (const { key } of all.items)
      if (isScalar(key)) dropRequirements(document, String(key.value), (target) => target === name)
  const policies = document.getIn(['topology_template', 'policies'], true)
  if (isSeq(policies))
    for (const policy of policies.items) {
      const [pair] = isMap(policy) ? policy.items : []
      const targets = isMap(pair?.value) ? pair.value.get('targets', true) : undefined
      if (isSeq(targets)) targets.items = targets.items.filter((one) => !(isScalar(one) && one.value === name))
    }
  return close(document)
}

/** Makes a service start after another. */
export function addDependency(text: string, name: string, target: string): string {
  const document = open(text)
  const path = [...nodes, name, 'requirements']
  const entry = document.createNode({ dependency: target })
  if (isSeq(document.getIn(path, true))) document.addIn(path, entry)
  else document.setIn(path, document.createNode([{ dependency: target }]))
  return close(document)
}

export function removeDependency(text: string, name: string, target: string): string {
  const document = open(text)
  dropRequirements(document, name, (one) => one === target)
  return close(document)
}

/** Copies a node under another name. */
export function cloneNode(text: string, name: string, as: string): string {
  const document = open(text)
  const node = document.getIn([...nodes, name], true)
  if (isMap(node)) document.setIn([...nodes, as], node.clone())
  return close(document)
}
