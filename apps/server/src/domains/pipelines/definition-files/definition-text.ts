import { Definition } from '@gantry/contract/pipelines/definition'
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import type { Lang } from '../../../kernel/context.ts'
import { flatIssue, phraseOfIssue } from '../../../kernel/issues.ts'
import { type Reason, sayReason } from '../../../kernel/phrase.ts'

/** A problem at a place of the text; line and column count from 1. */
export interface PlacedReason {
  line: number
  column: number
  /** The path in the definition, such as `stages.0.steps.1.run`; empty for the whole text. */
  path: string
  reason: Reason
}

export const saidProblem = (lang: Lang, { line, column, path, reason }: PlacedReason) => ({
  line,
  column,
  text: `${path === '' ? '' : `${path}: `}${sayReason(lang, reason)}`,
})

type Path = readonly PropertyKey[]

export interface ReadText {
  /** Undefined if the text is not a valid definition. */
  definition: Definition | undefined
  problems: PlacedReason[]
  /** The place in the text of a path in the definition. */
  place: (path: string) => { line: number; column: number }
}

/** One mistake often causes many problems; the first few are enough to mend it. */
const most = 20

/** Lists, maps and values of a definition, counting each use of an alias; the largest text without any has fewer. */
const maxParts = 200_000

/** Counts the parts of a value, without visiting what an alias stands for twice. */
function countParts(value: unknown, counted = new Map<object, number>()): number {
  if (typeof value !== 'object' || value === null) return 1
  const known = counted.get(value)
  if (known !== undefined) return known
  // a value that contains itself counts once
  counted.set(value, 1)
  const count = Object.values(value).reduce<number>((sum, part) => sum + countParts(part, counted), 1)
  counted.set(value, count)
  return count
}

/** Reads the text of a definition: its syntax first, then the rules of its schema. */
export function readDefinitionText(text: string): ReadText {
  const lines = new LineCounter()
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const syntax = (offset: number, detail: string): PlacedReason => ({
    ...placeAt(offset),
    path: '',
    reason: { key: 'pipelines-file-syntax', vars: { detail: detail.slice(0, 500) } },
  })
  const failed = (problems: PlacedReason[]): ReadText => ({
    definition: undefined,
    problems: problems.slice(0, most),
    place: () => placeAt(0),
  })
  let document: Document.Parsed
  let value: unknown
  try {
    // uniqueKeys would make the library compare each key of a map with all others
    document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, lineCounter: lines })
    const twice = keysTwice(document)
    if (document.errors.length > 0) return failed(document.errors.map(({ pos, message }) => syntax(pos[0], message)))
    if (twice.length > 0)
      return failed(
        twice.map(({ offset, key }) => ({
          ...placeAt(offset),
          path: '',
          reason: { key: 'pipelines-file-key-twice', vars: { key } },
        })),
      )
    value = document.toJS({ maxAliasCount: 100 })
    if (countParts(value) > maxParts)
      return failed([
        { ...placeAt(0), path: '', reason: { key: 'pipelines-file-too-many-parts', vars: { most: maxParts } } },
      ])
  } catch (error) {
    // nested too deeply, or more aliases than allowed
    return failed([syntax(0, error instanceof Error ? error.message : String(error))])
  }
  const place = (path: Path) => placeAt(offsetOf(document, path))
  const parsed = Definition.safeParse(value ?? {})
  if (parsed.success)
    return {
      definition: parsed.data,
      problems: [],
      place: (path) => place(path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))),
    }
  // a misspelt field is also reported as missing: name the unknown one first
  const issues = parsed.error.issues.flatMap(flatIssue)
  const isUnknown = ({ code }: z.core.$ZodIssue) => code === 'unrecognized_keys'
  return failed(
    [...issues.filter(isUnknown), ...issues.filter((issue) => !isUnknown(issue))].map((issue) => {
      const [key, vars] = phraseOfIssue(issue)
      const unknown = issue.code === 'unrecognized_keys' ? keyOffset(document, issue) : undefined
      return {
        ...(unknown === undefined ? place(issue.path) : placeAt(unknown)),
        path: issue.path.map(String).join('.'),
        reason: { key, vars },
      }
    }),
  )
}

function keysTwice(document: Document.Parsed): { offset: number; key: string }[] {
  const found: { offset: number; key: string }[] = []
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value) && key.range) found.push({ offset: key.range[0], key: String(key.value).slice(0, 200) })
        seen.add(key.value)
      }
    },
  })
  return found
}

/** The offset of the value at a path; if it is missing, of the nearest parent that exists. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

function keyOffset(document: Document, issue: z.core.$ZodIssueUnrecognizedKeys): number | undefined {
  const map = issue.path.length === 0 ? document.contents : document.getIn(issue.path, true)
  const pair = isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === issue.keys[0]) : undefined
  return isScalar(pair?.key) ? pair.key.range?.[0] : undefined
}

/** The path of the first step or job with this name. */
export function pathOfNamed({ stages }: Definition, name: string): string | undefined {
  for (const [at, stage] of stages.entries()) {
    const own = stage.steps.findIndex((step) => step.name === name)
    if (own >= 0) return `stages.${at}.steps.${own}`
    for (const [row, job] of stage.jobs.entries()) {
      if (job.name === name) return `stages.${at}.jobs.${row}`
      const inner = job.steps.findIndex((step) => step.name === name)
      if (inner >= 0) return `stages.${at}.jobs.${row}.steps.${inner}`
    }
  }
  return undefined
}
