import { readTemplate, type NodeKind } from '@gantry/tosca/template'
import type { Value } from '@gantry/tosca/values'

export interface DrawnNode {
  name: string
  kind: NodeKind
  image: string
  /** Services that start before it. */
  requires: string[]
  /** Volumes and files of its own. */
  uses: string[]
}

type Fields = { [key: string]: Value }
const fieldsOf = (value: Value | undefined): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
const rowsOf = (value: Value | undefined): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** The services to which ways in lead, each once. */
function leadsTo(properties: Value): string[] {
  const { rules, hosts } = fieldsOf(properties)
  const rows = [
    ...rowsOf(rules).flatMap(({ targets }) => rowsOf(targets)),
    ...rowsOf(hosts).flatMap(({ paths }) => rowsOf(paths)),
  ]
  return [...new Set(rows.flatMap(({ service }) => (typeof service === 'string' ? [service] : [])))]
}

/** The drawing of a template; empty while it cannot be parsed. */
export function drawingOf(text: string): DrawnNode[] {
  const { template } = readTemplate(text)
  const known = new Set(template.nodes.map(({ name }) => name))
  const targets = (requirements: (typeof template.nodes)[number]['requirements'], dependency: boolean) => [
    ...new Set(
      requirements
        .filter(({ name, node }) => (name === 'dependency') === dependency && known.has(node))
        .map(({ node }) => node),
    ),
  ]
  return template.nodes.map(({ name, kind, properties, requirements }) => {
    const { image } = (properties ?? {}) as { image?: unknown }
    return {
      name,
      kind,
      image: typeof image === 'string' ? image : '',
      requires: targets(requirements, true),
      uses: [...targets(requirements, false), ...leadsTo(properties).filter((target) => known.has(target))],
    }
  })
}
