import { annotations, labels } from '../../../adapters/kube/labels.ts'
import { type Fields, fieldsOf, jsonOf } from './fields.ts'
import type { Cell } from './cells.ts'
import type { Reporter } from './telling.ts'

/** What all kinds of Kubernetes objects have in common. */
export interface Obj {
  kind: string
  name: string
  cell: Cell
  fields: Fields
  labels: Record<string, string>
  /** Whether another object owns it, and would create it again. */
  isOwned: boolean
  /** Whether the product exported it. */
  isOwn: boolean
  /** Fields of its service that no object has, if the product exported it. */
  beyond: { text: string; at: number } | undefined
  at: number
}

/** Fields that a cluster writes by itself. */
const ofTheCluster = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
  'ownerReferences',
  'finalizers',
]
const notesOfTheCluster = ['kubectl.kubernetes.io/last-applied-configuration', 'deployment.kubernetes.io/revision']

/** Annotations that bind a claim to its volume. */
const ofStorage = /^(pv|volume|volume\.beta)\.kubernetes\.io\//

const strings = (cell: Cell | undefined): Record<string, string> =>
  cell?.is === 'map'
    ? Object.fromEntries(Object.entries(jsonOf(cell) as object).map(([key, one]) => [key, String(one)]))
    : {}

/** Kinds that become a service of the same name. */
const becomes = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Ingress'])

/** The name of the service that an object becomes; empty if it becomes none. */
function serviceOf(cell: Cell): string {
  const { kind, metadata } = (jsonOf(cell) ?? {}) as { kind?: unknown; metadata?: { name?: unknown } }
  const name = metadata?.name
  return typeof name === 'string' && becomes.has(String(kind)) ? name : ''
}

function objectOf(cell: Cell, all: Reporter): Obj | undefined {
  const tell = all.of(serviceOf(cell))
  const fields = fieldsOf(cell, tell, 'apiVersion, kind')
  if (!fields) return undefined
  const kind = fields.text('kind') ?? ''
  fields.pass('apiVersion', 'status')
  const meta = fields.fields('metadata')
  const name = meta?.text('name') ?? ''
  if (kind === '' || name === '') {
    tell.wrong(fields.at, 'imports-no-name')
    return undefined
  }
  const isOwned = meta?.has('ownerReferences') === true
  meta?.pass(...ofTheCluster)
  const own = meta?.cell('labels')
  const found = strings(own)
  const isOwn = found[labels.managedBy] === 'gantry'
  if (isOwn) meta?.pass('labels', 'namespace')
  // labels of an object name the application and its tools; a service has no place for them
  else if (own && Object.keys(found).length > 0)
    tell.note(meta?.place('labels') ?? cell.at, 'imports-object-labels', { kind })
  if (!isOwn) {
    meta?.pass('labels')
    meta?.leave('namespace', 'imports-namespace')
  }
  const notes = meta?.fields('annotations')
  notes?.pass(...notesOfTheCluster, ...(notes?.keys() ?? []).filter((key) => ofStorage.test(key)))
  const text = notes?.text(annotations.document)
  const beyond = text === undefined ? undefined : { text, at: notes?.place(annotations.document) ?? cell.at }
  return { kind, name, cell, fields, labels: found, isOwned, isOwn, beyond, at: fields.at }
}

/** The objects of all documents, with lists expanded; duplicates are reported. */
export function objectsOf(cells: readonly Cell[], tell: Reporter): Obj[] {
  const objects: Obj[] = []
  const seen = new Set<string>()
  const look = (cell: Cell): void => {
    if (
      cell.is === 'map' &&
      cell.entries.has('items') &&
      String(jsonOf(cell.entries.get('kind')?.cell ?? cell)).endsWith('List')
    ) {
      const list = fieldsOf(cell, tell)
      list?.pass('apiVersion', 'kind', 'metadata')
      for (const one of list?.list('items') ?? []) look(one)
      return
    }
    const object = objectOf(cell, tell)
    if (!object) return
    const { kind, name, at } = object
    const mark = `${kind} ${name}`
    if (seen.has(mark)) tell.wrong(at, 'imports-object-twice', { kind: kind.slice(0, 60), name: name.slice(0, 100) })
    else objects.push(object)
    seen.add(mark)
  }
  for (const cell of cells) look(cell)
  return objects
}
