/** The part of the POSIX shell's grammar that start commands and terminals use. */

export type Part =
  | { text: string; quoted: boolean }
  | { variable: string; fallback?: Word; quoted: boolean }
  | { command: Script; quoted: boolean }
export type Word = Part[]

export interface Redirect {
  from: number
  operator: '>' | '>>' | '<' | '>&'
  to: Word
}

export type Command =
  | { kind: 'simple'; assigns: [string, Word][]; words: Word[]; redirects: Redirect[] }
  | { kind: 'pipe'; commands: Command[]; negated: boolean }
  | { kind: 'loop'; until: boolean; condition: Script; body: Script }
  | { kind: 'for'; variable: string; words: Word[]; body: Script }
  | { kind: 'if'; branches: { condition: Script; body: Script }[]; otherwise: Script | undefined }
  | { kind: 'group'; body: Script; redirects: Redirect[] }

/** Commands in their order, each with what joins it to the one before. */
export type Script = { join: ';' | '&&' | '||'; command: Command; background: boolean }[]

export class ShellSyntaxError extends Error {}

type Token = { word: Word } | { operator: string }

const operators = ['&&', '||', ';;', '>>', '>&', ';', '&', '|', '(', ')', '<', '>', '\n']

function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const fail = (what: string): never => {
    throw new ShellSyntaxError(`syntax error: unterminated ${what}`)
  }

  const substitution = (): Script => {
    let depth = 1
    const start = (at += 2)
    while (at < source.length && depth > 0) {
      if (source[at] === '(') depth++
      if (source[at] === ')') depth--
      at++
    }
    if (depth > 0) fail('command substitution')
    return parseScript(source.slice(start, at - 1))
  }

  const dollar = (quoted: boolean): Part => {
    if (source[at + 1] === '(') return { command: substitution(), quoted }
    const plain = /^\$(\w+|[?$#@*!])/.exec(source.slice(at, at + 200))
    if (plain) {
      at += plain[0].length
      return { variable: plain[1] ?? '', quoted }
    }
    const braced = /^\$\{(\w+|[?#@])(?::?-([^}]*))?\}/.exec(source.slice(at))
    if (braced) {
      at += braced[0].length
      const { 1: variable = '', 2: fallback } = braced
      return { variable, quoted, ...(fallback === undefined ? {} : { fallback: [{ text: fallback, quoted: true }] }) }
    }
    at++
    return { text: '$', quoted: true }
  }

  const doubled = (): Part[] => {
    const parts: Part[] = []
    let text = ''
    at++
    while (source[at] !== '"') {
      if (at >= source.length) fail('quoted string')
      const char = source[at] ?? ''
      if (char === '$') {
        parts.push({ text, quoted: true })
        text = ''
        parts.push(dollar(true))
      } else if (char === '\\' && /["\\$`\n]/.test(source[at + 1] ?? '')) {
        text += source[at + 1] === '\n' ? '' : source[at + 1]
        at += 2
      } else {
        text += char
        at++
      }
    }
    at++
    return [...parts, { text, quoted: true }]
  }

  const word = (): Word => {
    const parts: Word = []
    let text = ''
    const flush = (): void => {
      if (text !== '') parts.push({ text, quoted: false })
      text = ''
    }
    while (at < source.length) {
      const char = source[at] ?? ''
      if (/[\s;&|()<>]/.test(char)) break
      if (char === "'") {
        flush()
        const end = source.indexOf("'", at + 1)
        if (end < 0) fail('quoted string')
        parts.push({ text: source.slice(at + 1, end), quoted: true })
        at = end + 1
      } else if (char === '"') {
        flush()
        parts.push(...doubled())
      } else if (char === '$') {
        flush()
        parts.push(dollar(false))
      } else if (char === '\\') {
        flush()
        parts.push({ text: source[at + 1] ?? '', quoted: true })
        at += 2
      } else {
        text += char
        at++
      }
    }
    flush()
    return parts
  }

  while (at < source.length) {
    const char = source[at] ?? ''
    const operator = operators.find((one) => source.startsWith(one, at))
    if (char === '#' && (at === 0 || /\s/.test(source[at - 1] ?? ''))) {
      while (at < source.length && source[at] !== '\n') at++
    } else if (char === '\\' && source[at + 1] === '\n') at += 2
    else if (char === ' ' || char === '\t' || char === '\r') at++
    else if (operator) {
      tokens.push({ operator })
      at += operator.length
    } else if (/^\d[<>]/.test(source.slice(at, at + 2))) {
      tokens.push({
        operator: `${char}${source.startsWith('>>', at + 1) ? '>>' : source.startsWith('>&', at + 1) ? '>&' : source[at + 1]}`,
      })
      at += /^\d>[>&]/.test(source.slice(at, at + 3)) ? 3 : 2
    } else tokens.push({ word: word() })
  }
  return tokens
}

const literal = (token: Token | undefined): string | undefined => {
  if (!token || !('word' in token) || token.word.length !== 1) return undefined
  const [part] = token.word
  return part && 'text' in part && !part.quoted ? part.text : undefined
}

/** Throws ShellSyntaxError. */
export function parseScript(source: string): Script {
  const tokens = tokenize(source)
  let at = 0
  const operator = (): string | undefined => {
    const token = tokens[at]
    return token && 'operator' in token ? token.operator : undefined
  }
  const expect = (keyword: string): void => {
    if (literal(tokens[at]) !== keyword) throw new ShellSyntaxError(`syntax error: expected "${keyword}"`)
    at++
  }

  const script = (...ends: string[]): Script => {
    const found: Script = []
    let join: Script[number]['join'] = ';'
    for (;;) {
      while (operator() === ';' || operator() === '\n') at++
      const keyword = literal(tokens[at]) ?? operator()
      if (at >= tokens.length || (keyword !== undefined && ends.includes(keyword))) return found
      const command = pipeline()
      const next = operator()
      found.push({ join, command, background: next === '&' })
      join = next === '&&' || next === '||' ? next : ';'
      if (next === '&&' || next === '||' || next === '&' || next === ';' || next === '\n') at++
      else if (at < tokens.length && !(next !== undefined && ends.includes(next)))
        throw new ShellSyntaxError(`syntax error: unexpected "${next ?? literal(tokens[at]) ?? 'word'}"`)
    }
  }

  const pipeline = (): Command => {
    const negated = literal(tokens[at]) === '!'
    if (negated) at++
    const commands = [command()]
    while (operator() === '|') {
      at++
      while (operator() === '\n') at++
      commands.push(command())
    }
    const [only] = commands
    return commands.length === 1 && only && !negated ? only : { kind: 'pipe', commands, negated }
  }

  const redirects = (): Redirect[] => {
    const found: Redirect[] = []
    for (;;) {
      const parsed = /^(\d?)(>>|>&|>|<)$/.exec(operator() ?? '')
      if (!parsed) return found
      const target = tokens[++at]
      if (!target || !('word' in target)) throw new ShellSyntaxError('syntax error: unexpected end of file')
      at++
      const kind = parsed[2] as Redirect['operator']
      found.push({ from: parsed[1] ? Number(parsed[1]) : kind === '<' ? 0 : 1, operator: kind, to: target.word })
    }
  }

  const command = (): Command => {
    if (operator() === '(') {
      at++
      const body = script(')')
      if (operator() !== ')') throw new ShellSyntaxError('syntax error: expected ")"')
      at++
      return { kind: 'group', body, redirects: redirects() }
    }
    switch (literal(tokens[at])) {
      case '{': {
        at++
        const body = script('}')
        expect('}')
        return { kind: 'group', body, redirects: redirects() }
      }
      case 'while':
      case 'until': {
        const until = literal(tokens[at++]) === 'until'
        const condition = script('do')
        expect('do')
        const body = script('done')
        expect('done')
        return { kind: 'loop', until, condition, body }
      }
      case 'for': {
        at++
        const variable = literal(tokens[at++]) ?? ''
        const words: Word[] = []
        if (literal(tokens[at]) === 'in') {
          at++
          for (let token = tokens[at]; token && 'word' in token; token = tokens[++at]) words.push(token.word)
        }
        while (operator() === ';' || operator() === '\n') at++
        expect('do')
        const body = script('done')
        expect('done')
        return { kind: 'for', variable, words, body }
      }
      case 'if': {
        const branches: { condition: Script; body: Script }[] = []
        let otherwise: Script | undefined
        do {
          at++
          const condition = script('then')
          expect('then')
          branches.push({ condition, body: script('elif', 'else', 'fi') })
        } while (literal(tokens[at]) === 'elif')
        if (literal(tokens[at]) === 'else') {
          at++
          otherwise = script('fi')
        }
        expect('fi')
        return { kind: 'if', branches, otherwise }
      }
      default:
        return simple()
    }
  }

  const simple = (): Command => {
    const assigns: [string, Word][] = []
    const words: Word[] = []
    const found: Redirect[] = []
    for (;;) {
      found.push(...redirects())
      const token = tokens[at]
      if (!token || !('word' in token)) break
      const [first, ...rest] = token.word
      const assign = first && 'text' in first && !first.quoted ? /^([A-Za-z_]\w*)=(.*)$/s.exec(first.text) : null
      if (assign && words.length === 0)
        assigns.push([assign[1] ?? '', [{ text: assign[2] ?? '', quoted: true }, ...rest]])
      else words.push(token.word)
      at++
    }
    if (assigns.length + words.length + found.length === 0)
      throw new ShellSyntaxError(`syntax error: unexpected "${(operator() ?? 'end of file').replace('\n', 'newline')}"`)
    return { kind: 'simple', assigns, words, redirects: found }
  }

  const parsed = script()
  if (at < tokens.length) throw new ShellSyntaxError(`syntax error: unexpected "${operator() ?? literal(tokens[at])}"`)
  return parsed
}
