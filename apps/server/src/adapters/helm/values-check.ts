import { isValues, mergeValues } from '@gantry/contract/helm/layers'
import { type Schema, Validator } from '@cfworker/json-schema'
import { isCollection, LineCounter, type Node, parseDocument } from 'yaml'

export interface ValuesProblem {
  line: number
  column: number
  text: string
}

const most = 20

/** Validation may follow the aliases of a YAML text, which can expand to more than fits into memory. */
const maxAliasCount = 100

/** The problems of values with line and column, both from 1: as YAML, and against the chart's schema if it has one. */
export function checkValues(text: string, schemaText: string, beneath: string): ValuesProblem[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const wrong = document.errors.map(({ pos, message }) => ({ ...at(pos[0]), text: message }))
  if (wrong.length > 0) return wrong.slice(0, most)
  let values: unknown
  try {
    values = document.toJS({ maxAliasCount }) ?? {}
  } catch (error) {
    return [{ line: 1, column: 1, text: error instanceof Error ? error.message : String(error) }]
  }
  if (!isValues(values)) return [{ line: 1, column: 1, text: 'values are a mapping of names to values' }]
  if (schemaText.trim() === '') return []
  const under: unknown = parseDocument(beneath).toJS({ maxAliasCount })
  const whole = mergeValues(isValues(under) ? under : {}, values)
  const { errors } = new Validator(JSON.parse(schemaText) as Schema, '7', false).validate(whole)
  // the errors of an object only repeat that one of its parts is wrong
  const leaves = errors.filter(
    ({ keyword, instanceLocation }) =>
      !['properties', 'allOf', '$ref', 'items', 'additionalItems'].includes(keyword) &&
      !(keyword === 'additionalProperties' && instanceLocation === '#'),
  )
  return (leaves.length > 0 ? leaves : errors)
    .slice(0, most)
    .map(({ instanceLocation, error }) => ({ ...at(offsetOf(document.contents, instanceLocation)), text: error }))
}

/** The offset in the text of the value of a JSON pointer, or of the nearest value around it that is in the text. */
function offsetOf(root: unknown, pointer: string): number {
  let node = root as Node | null
  for (const part of pointer.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const key = decodeURIComponent(part.replaceAll('~1', '/').replaceAll('~0', '~'))
    const next: unknown = isCollection(node) ? (node.get(key, true) ?? node.get(Number(key), true)) : undefined
    if (next === undefined || next === null) break
    node = next as Node
  }
  return node?.range?.[0] ?? 0
}
