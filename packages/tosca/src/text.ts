import { illegalKeys } from '@gantry/contract/validators'
import { type Document, isAlias, isCollection, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { openProblems, type Problems, type Vars } from './problems.ts'

/** The maximum length of a template, in characters. */
export const longestTemplate = 500_000

/** Characters that begin an entry, a line or a nesting: the parser's time grows with their number. */
const beginnings = /[\n,[{]|[-?:] /g
const maxBeginnings = 40_000
const deepest = 40

/** Control characters except line feeds, carriage returns and tabs; byte order marks; unpaired surrogates. */
// oxlint-disable-next-line no-control-regex -- these are looked for
const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\p{Cs}]/u

/** Where the text is nested too deeply; found before a parser would recurse into it. */
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

/** Why a text must not be parsed. */
export type Bound = 'hidden' | 'too-long' | 'too-complex' | 'too-deep'

/** Checks a text before it is parsed, to bound the parser's time and stack. */
export function lookBeforeParsing(text: string, tell: (at: number, bound: Bound, vars: Vars) => void): void {
  const at = hidden.exec(text)?.index
  if (at !== undefined) tell(at, 'hidden', {})
  if (text.length > longestTemplate) tell(0, 'too-long', { most: longestTemplate })
  let begun = 0
  for (const match of text.matchAll(beginnings))
    if (++begun > maxBeginnings) {
      tell(match.index, 'too-complex', {})
      break
    }
  const deep = tooDeepAt(text)
  if (deep !== undefined) tell(deep, 'too-deep', { most: deepest })
}

/** The lines of a text; by itself a counter collects them only while parsing. */
export function linesOf(text: string): LineCounter {
  const lines = new LineCounter()
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1)
  if (lines.lineStarts[0] !== 0) lines.lineStarts.unshift(0)
  return lines
}

/** Reports YAML features that a template may not use: a reader must see every value in its own place. */
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
 * Parses a template's text, and reports YAML problems. The document keeps comments, order and unknown keys, for edits
 * of a part of it.
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
