import { propertyAt, type ReadTemplate, type TemplateNode } from './template.ts'
import type { Value } from './values.ts'

type Path = readonly PropertyKey[]

const valueAt = (value: Value, path: Path): unknown =>
  path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  )

/** The paths of a document's secrets: variables and files that are marked secret, and private keys. */
function secretPlaces(document: Value): PropertyKey[][] {
  const places: PropertyKey[][] = []
  const look = (list: Path, field: string) => {
    const rows = valueAt(document, list)
    if (!Array.isArray(rows)) return
    for (const [at, row] of rows.entries())
      if (valueAt(row as Value, ['secret']) === true) places.push([...list, at, field])
  }
  look(['environment'], 'value')
  look(['files'], 'content')
  const containers = valueAt(document, ['containers'])
  if (Array.isArray(containers)) for (const at of containers.keys()) look(['containers', at, 'environment'], 'value')
  const certificates = valueAt(document, ['outward', 'certificates'])
  if (Array.isArray(certificates))
    for (const at of certificates.keys()) places.push(['outward', 'certificates', at, 'key'])
  const hosts = valueAt(document, ['outward', 'hosts'])
  if (Array.isArray(hosts))
    for (const at of hosts.keys())
      if (valueAt(hosts as Value, [at, 'tls']) !== undefined) places.push(['outward', 'hosts', at, 'tls', 'key'])
  return places
}

/**
 * Everybody who may see the product can read a template. So a secret is never written in it: a secret input supplies it
 * at deployment, and such an input may not be used in any value that is shown.
 */
export function lookAtSecrets(
  read: ReadTemplate,
  node: TemplateNode,
  document: Value,
  fromInputs: readonly Path[],
  from: ReadonlyMap<string, { node: string }>,
): void {
  const at = (path: Path) => {
    const other = from.get(path.slice(0, 2).join('.'))
    return other ? propertyAt(read.document, other.node, path.slice(2)) : propertyAt(read.document, node.name, path)
  }
  const keyOf = (path: Path) => path.map(String).join('.')
  const places = secretPlaces(document)
  const hidden = new Set(places.map(keyOf))
  const given = new Set(fromInputs.map(keyOf))
  for (const path of fromInputs)
    if (!hidden.has(keyOf(path))) read.problems.tell(at(path), 'blueprints-tosca-secret-place', { name: node.name })
  for (const path of places) {
    const value = valueAt(document, path)
    if (!given.has(keyOf(path)) && value !== undefined && value !== '')
      read.problems.tell(at(path), 'blueprints-tosca-secret-literal', { name: node.name })
  }
}
