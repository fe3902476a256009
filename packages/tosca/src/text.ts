import { illegalKeys } from '@gantry/contract/validators'
import { type Document, isAlias, isCollection, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { openProblems, type Problems, type Vars } from './problems.ts'

/** Characters of a template at most. */
export const longestTemplate = 500_000

/** What begins an entry, a line or a nesting: the parser's time grows with these. */
const beginnings = /[\n,[{]|[-?:] /g
const mostBeginnings = 40_000
const deepest = 40

/** Control characters but line feeds, carriage returns and tabs; a mark of byte order; halves of characters. */
// oxlint-disable-next-line no-control-regex -- these are looked for
const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\p{Cs}]/u

/** The nesting that a text may have at most, told before a parser recurses into it. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at]
    if (one === '[' || one === '{') {
      depth += 1
      if (depth > 200) return at
    } else if (one === ']' || one === '}') depth = Math.max(0, depth - 1)
  }
  return /^(?:[ ]*[-?] ?){100}/m.exec(text)?.index
}

/** What a parser is not to be given, and why. */
export type Bound = 'hidden' | 'too-long' | 'too-complex' | 'too-deep'

/** Looks at a text before a parser does, whose time and stack it bounds. */
export function lookBeforeParsing(text: string, tell: (at: number, bound: Bound, vars: Vars) => void): void {
  const at = hidden.exec(text)?.index
  if (at !== undefined) tell(at, 'hidden', {})
  if (text.length > longestTemplate) tell(0, 'too-long', { most: longestTemplate })
  let begun = 0
  for (const match of text.matchAll(beginnings))
    if (++begun > mostBeginnings) {
      tell(match.index, 'too-complex', {})
      break
    }
  const deep = tooDeepAt(text)
  if (deep !== undefined) tell(deep, 'too-deep', { most: deepest })
}

/** The lines of a text; a counter learns them by itself only while it parses. */
export function linesOf(text: string): LineCounter {
  const lines = new LineCounter()
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1)
  if (lines.lineStarts[0] !== 0) lines.lineStarts.unshift(0)
  return lines
}

/** What YAML can say and a template cannot: whoever reads one sees all of it where it stands. */
function lookAtNodes(document: Document, { tell }: Problems): void {
  visit(document, {
    Node(_, node, path) {
      if (isAlias(node) || ('anchor' in node && node.anchor !== undefined)) {
        tell(node, 'blueprints-tosca-alias')
        return visit.BREAK
      }
      if (node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:')) {
        tell(node, 'blueprints-tosca-tag', { tag: node.tag.slice(0, 60) })
        return visit.BREAK
      }
      if (path.filter(isCollection).length > deepest) {
        tell(node, 'blueprints-tosca-too-deep', { most: deepest })
        return visit.BREAK
      }
      return undefined
    },
    Map(_, { items }) {
      const seen = new Set<string>()
      for (const pair of items) {
        const { key } = pair
        if (!isScalar(key) || (typeof key.value !== 'string' && typeof key.value !== 'number')) {
          tell(isNode(key) ? key : 0, 'blueprints-tosca-key')
          continue
        }
        const name = String(key.value)
        if (illegalKeys.has(name) || name === '<<') tell(key, 'blueprints-tosca-key-refused', { name })
        if (seen.has(name)) tell(key, 'blueprints-tosca-key-twice', { name: name.slice(0, 60) })
        seen.add(name)
      }
    },
  })
}

export interface ReadText {
  document: Document
  problems: Problems
}

/**
 * Parses a template's text, and tells what is wrong with it as YAML. The document keeps comments, order and everything
 * unknown, for whoever changes a part of it.
 */
export function readText(text: string): ReadText {
  const problems = openProblems(linesOf(text))
  lookBeforeParsing(text, (at, bound, vars) => problems.tell(at, `blueprints-tosca-${bound}`, vars))
  if (problems.found.length > 0) return { document: parseDocument(''), problems }
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, version: '1.2', strict: true })
  for (const { pos, message } of [...document.errors, ...document.warnings])
    problems.tell(pos[0], 'blueprints-tosca-yaml', { reason: message.split('\n')[0]?.slice(0, 200) ?? '' })
  if (document.errors.length === 0 && document.directives?.yaml.explicit) problems.tell(0, 'blueprints-tosca-directive')
  if (problems.found.length === 0) lookAtNodes(document, problems)
  if (problems.found.length === 0 && !isMap(document.contents))
    problems.tell(document.contents, 'blueprints-tosca-expected-map', { what: 'template' })
  return { document, problems }
}
