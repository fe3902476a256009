import { Fault } from '../../kernel/fault.ts'

/**
 * Search filters as values, so that user input is never parsed as a filter: it is sent to the directory as the bytes of
 * one value. Only `parseFilter` parses text, which an administrator wrote.
 */
export type Filter =
  | { is: 'and' | 'or'; of: Filter[] }
  | { is: 'not'; of: Filter }
  | { is: 'equal'; attribute: string; value: string | Buffer }
  | { is: 'atLeast' | 'atMost' | 'like'; attribute: string; value: string }
  | { is: 'present'; attribute: string }
  | { is: 'part'; attribute: string; initial: string; any: string[]; final: string }
  | { is: 'rule'; attribute: string; rule: string; dn: boolean; value: string }

export const equal = (attribute: string, value: string | Buffer): Filter => ({ is: 'equal', attribute, value })
export const contains = (attribute: string, text: string): Filter => ({
  is: 'part',
  attribute,
  initial: '',
  any: [text],
  final: '',
})
export const and = (...of: Filter[]): Filter => ({ is: 'and', of })
export const or = (...of: Filter[]): Filter => ({ is: 'or', of })

const space = /\s*/y
const oid = '(?:\\d+(?:\\.\\d+)+|[A-Za-z][A-Za-z0-9-]*)'
const description = new RegExp(`${oid}(?:;[A-Za-z0-9-]+)*`, 'y')
const extensible = new RegExp(`(${oid}(?:;[A-Za-z0-9-]+)*)?(:dn)?(?::(${oid}))?:=`, 'iy')
const comparison = /[~<>]?=/y
const value = /[^()\0]*/y

const deepest = 20
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a filter. An invalid one is refused with a Fault `ldap-filter-…` that says what was expected and at which
 * character. Unlike in RFC 4515, spaces and line breaks between its parts are allowed, because people indent long
 * filters. The parser of ldapts is not used: it reads `\c3\a9` as two letters, supports neither `2.5.4.3` nor
 * `cn;lang-en`, and recurses until the stack overflows.
 */
export function parseFilter(text: string): Filter {
  let at = 0
  const wrong = (key: Extract<Fault['key'], `ldap-filter-${string}`>, where = at): Fault =>
    new Fault('invalid', key, { at: where + 1 })
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const skip = () => take(space)

  /** A backslash and two hexadecimal digits are one byte. */
  function bytesOf(written: string, from: number): Buffer {
    const bytes: Buffer[] = []
    for (let i = 0; i < written.length;) {
      if (written[i] !== '\\') {
        const plain = /[^\\]+/y
        plain.lastIndex = i
        const part = plain.exec(written)?.[0] ?? ''
        bytes.push(Buffer.from(part))
        i += part.length
      } else {
        const digits = written.slice(i + 1, i + 3)
        if (!/^[0-9a-f]{2}$/i.test(digits)) throw wrong('ldap-filter-escape', from + i)
        bytes.push(Buffer.from(digits, 'hex'))
        i += 3
      }
    }
    return Buffer.concat(bytes)
  }
  function textOf(written: string, from: number): string {
    try {
      return decoder.decode(bytesOf(written, from))
    } catch (error) {
      throw error instanceof Fault ? error : wrong('ldap-filter-escape', from)
    }
  }

  function item(): Filter {
    const from = at
    extensible.lastIndex = at
    const rule = extensible.exec(text)
    if (rule) {
      at += rule[0].length
      const [, attribute = '', dn, name = ''] = rule
      if (attribute === '' && name === '') throw wrong('ldap-filter-attribute', from)
      const start = at
      const written = take(value) ?? ''
      return { is: 'rule', attribute, rule: name, dn: dn !== undefined, value: textOf(written, start) }
    }
    const attribute = take(description)
    if (attribute === undefined) throw wrong('ldap-filter-attribute', from)
    const compared = take(comparison)
    if (compared === undefined) throw wrong('ldap-filter-comparison')
    const start = at
    const written = take(value) ?? ''
    if (compared !== '=') {
      const is = compared === '>=' ? 'atLeast' : compared === '<=' ? 'atMost' : 'like'
      if (written.includes('*')) throw wrong('ldap-filter-star', start + written.indexOf('*'))
      return { is, attribute, value: textOf(written, start) }
    }
    if (written === '*') return { is: 'present', attribute }
    if (written.includes('*')) {
      let from = start
      const parts = written.split('*').map((part) => {
        const read = textOf(part, from)
        from += part.length + 1
        return read
      })
      const any = parts.slice(1, -1)
      if (any.includes('')) throw wrong('ldap-filter-star', start + written.indexOf('**') + 1)
      return { is: 'part', attribute, initial: parts[0] ?? '', any, final: parts.at(-1) ?? '' }
    }
    const bytes = bytesOf(written, start)
    const read = bytes.toString('utf8')
    return { is: 'equal', attribute, value: Buffer.from(read).equals(bytes) ? read : bytes }
  }

  function filter(depth: number): Filter {
    if (depth > deepest) throw wrong('ldap-filter-deep')
    skip()
    if (text[at] !== '(') throw wrong('ldap-filter-open')
    at++
    skip()
    const kind = text[at]
    let read: Filter
    if (kind === '&' || kind === '|') {
      at++
      const of: Filter[] = []
      for (skip(); text[at] === '('; skip()) of.push(filter(depth + 1))
      if (of.length === 0) throw wrong('ldap-filter-open')
      read = { is: kind === '&' ? 'and' : 'or', of }
    } else if (kind === '!') {
      at++
      read = { is: 'not', of: filter(depth + 1) }
      skip()
    } else read = item()
    if (text[at] !== ')') throw wrong('ldap-filter-close')
    at++
    return read
  }

  const whole = filter(0)
  skip()
  if (at < text.length) throw wrong('ldap-filter-rest')
  return whole
}
