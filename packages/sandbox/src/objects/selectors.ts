import { ownOf } from './record.ts'
import { badRequest } from './status.ts'
import type { LabelSelector, Obj } from './types.ts'

type Labels = Record<string, string> | undefined
type Match = (labels: Labels) => boolean

const term = (key: string, operator: string, values: string[]): Match => {
  const allowed = new Set<string | undefined>(values)
  switch (operator) {
    case 'In':
      return (labels) => allowed.has(ownOf(labels, key))
    case 'NotIn':
      return (labels) => !allowed.has(ownOf(labels, key))
    case 'Exists':
      return (labels) => ownOf(labels, key) !== undefined
    default:
      return (labels) => ownOf(labels, key) === undefined
  }
}

const every =
  (matches: Match[]): Match =>
  (labels) =>
    matches.every((match) => match(labels))

const key = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?$/
const value = /^(?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?$/

/** `a=b,c!=d,e in (f,g),h notin (i),j,!k`, as in a list's query. */
export function parseLabelSelector(text: string): Match {
  const refuse = (): never => {
    throw badRequest(`unable to parse requirement: found '${text}', expected: a label selector`)
  }
  const matches: Match[] = []
  // Commas in parentheses belong to a term.
  for (const part of text.split(/,(?![^(]*\))/)) {
    const raw = part.trim()
    if (raw === '') {
      if (text.trim() === '') continue
      return refuse()
    }
    const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(raw)
    const equal = /^([^=!\s]+)\s*(==|=|!=)\s*([^=!\s]*)$/.exec(raw)
    const bare = /^(!?)\s*([^=!\s]+)$/.exec(raw)
    if (set) {
      const values = (set[3] ?? '').split(',').map((one) => one.trim())
      if (!key.test(set[1] ?? '') || !values.every((one) => value.test(one))) return refuse()
      matches.push(term(set[1] ?? '', set[2] === 'in' ? 'In' : 'NotIn', values))
    } else if (equal) {
      if (!key.test(equal[1] ?? '') || !value.test(equal[3] ?? '')) return refuse()
      matches.push(term(equal[1] ?? '', equal[2] === '!=' ? 'NotIn' : 'In', [equal[3] ?? '']))
    } else if (bare) {
      if (!key.test(bare[2] ?? '')) return refuse()
      matches.push(term(bare[2] ?? '', bare[1] ? 'DoesNotExist' : 'Exists', []))
    } else return refuse()
  }
  return every(matches)
}

/** The predicate of a selector object. An absent selector matches nothing, an empty one everything. */
export function labelSelector(selector: LabelSelector | undefined): Match {
  if (!selector) return () => false
  return every([
    ...Object.entries(selector.matchLabels ?? {}).map(([name, one]) => term(name, 'In', [one])),
    ...(selector.matchExpressions ?? []).map((one) => term(one.key, one.operator, one.values ?? [])),
  ])
}

export const selects = (selector: Record<string, string>, labels: Labels): boolean =>
  Object.entries(selector).every(([name, one]) => ownOf(labels, name) === one)

const everywhere = ['metadata.name', 'metadata.namespace']
/** The selectable fields of the real server, by resource; other paths are refused. */
const selectable: Record<string, string[]> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  namespaces: ['status.phase'],
  nodes: ['spec.unschedulable'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  'replicasets.apps': ['status.replicas'],
  'jobs.batch': ['status.successful'],
}

function fieldOf(object: Obj, path: string): string {
  let at: unknown = object
  for (const step of path.split('.')) {
    if (typeof at !== 'object' || at === null) return ''
    at = (at as Record<string, unknown>)[step]
  }
  if (path === 'spec.hostNetwork' || path === 'spec.unschedulable') return String(at === true)
  if (path === 'source' && typeof at === 'object' && at !== null)
    return String((at as { component?: string }).component)
  return at === undefined || at === null ? '' : String(at)
}

/** The predicate of `a.b=c,d!=e` for the selectable fields of the resource. */
export function parseFieldSelector(text: string, resource: string): (object: Obj) => boolean {
  const offered = new Set([...everywhere, ...(selectable[resource] ?? [])])
  const tests: ((object: Obj) => boolean)[] = []
  for (const part of text.split(',')) {
    if (part.trim() === '') continue
    const found = /^([^=!]+)(==|=|!=)(.*)$/.exec(part)
    if (!found) throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`)
    const [, path = '', operator, wanted = ''] = found
    if (!offered.has(path))
      throw badRequest(
        selectable[resource]
          ? `field label not supported: ${path}`
          : `"${path}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
      )
    tests.push((object) => (fieldOf(object, path) === wanted) === (operator !== '!='))
  }
  return (object) => tests.every((test) => test(object))
}
