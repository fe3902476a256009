/**
 * Distinguished names (RFC 4514). Names are compared in their normal form, never as text: directories answer `UID=u01,
 * OU=People` for what was stored as `uid=u01,ou=people`.
 */
export interface Attribute {
  /** In lower case; common object identifiers and long names are replaced by their short name. */
  type: string
  /** Unescaped; hexadecimal BER stays as it is, beginning with #. */
  value: string
}

/** Relative names from the entry up to the root; each has one or more pairs, sorted. */
export type Dn = Attribute[][]

const shortNames: Record<string, string> = {
  '2.5.4.3': 'cn',
  commonname: 'cn',
  '2.5.4.6': 'c',
  '2.5.4.7': 'l',
  '2.5.4.8': 'st',
  '2.5.4.10': 'o',
  organizationname: 'o',
  '2.5.4.11': 'ou',
  organizationalunitname: 'ou',
  '0.9.2342.19200300.100.1.1': 'uid',
  userid: 'uid',
  '0.9.2342.19200300.100.1.25': 'dc',
  domaincomponent: 'dc',
}

const attributeType = /[ \t\r\n]*((?:OID\.)?\d+(?:\.\d+)+|[A-Za-z][A-Za-z0-9-]*)[ \t\r\n]*=[ \t\r\n]*/iy
const hexValue = /#((?:[0-9a-f]{2})+)[ \t\r\n]*/iy
/** As in RFC 4514; spaces around it are dropped, as its predecessor allowed. */
const stringValue = /(?:\\(?:[0-9a-f]{2}|[ "#+,;<=>\\])|[^\\"+,;<>\0])*/iy

function take(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Unescapes a value and removes the unescaped spaces around it. Undefined if escaped bytes are not UTF-8. */
function unescaped(written: string): string | undefined {
  const parts = written.match(/\\[0-9a-f]{2}|\\.|[^\\]/gisu) ?? []
  const first = parts.findIndex((part) => !/^\s$/.test(part))
  const last = parts.findLastIndex((part) => !/^\s$/.test(part))
  const bytes = (first < 0 ? [] : parts.slice(first, last + 1)).map((part) =>
    /^\\[0-9a-f]{2}$/i.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part.replace(/^\\/, '')),
  )
  try {
    return decoder.decode(Buffer.concat(bytes))
  } catch {
    return undefined
  }
}

/** Undefined if the text is not a DN. The empty text is the root's DN. */
export function parseDn(text: string): Dn | undefined {
  if (text.trim() === '') return []
  const dn: Dn = []
  let rdn: Attribute[] = []
  for (let at = 0; ;) {
    const type = take(attributeType, text, at)
    if (!type) return undefined
    at += type[0].length
    const hex = take(hexValue, text, at)
    const found = hex ?? take(stringValue, text, at)
    const value = hex ? `#${hex[1]?.toLowerCase()}` : unescaped(found?.[0] ?? '')
    if (value === undefined) return undefined
    at += found?.[0].length ?? 0
    const name = (type[1] ?? '').toLowerCase().replace(/^oid\./, '')
    rdn.push({ type: shortNames[name] ?? name, value })
    const next = text[at++]
    if (next === '+') continue
    dn.push(rdn.sort((a, b) => (a.type < b.type ? -1 : 1)))
    rdn = []
    if (next === undefined) return dn
    if (next !== ',' && next !== ';') return undefined
  }
}

const special = /[\\,+"<>;=#\0]/g
const hexOf = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')

export const escapeDnValue = (value: string): string => value.replaceAll(special, hexOf).replaceAll(/^\s|\s$/g, hexOf)

/** The normal form of a relative name, which ignores case, spacing, the order of its pairs and kinds of escaping. */
const normalRdn = (rdn: Attribute[]): string =>
  rdn
    .map(({ type, value }) => {
      const folded = value.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ')
      return `${type}=${escapeDnValue(folded)}`
    })
    .sort()
    .join('+')

const normal = (dn: Dn): string[] => dn.map(normalRdn)

/** The form in which DNs are compared and stored; undefined if the text is not a DN. */
export function normalDn(text: string): string | undefined {
  const dn = parseDn(text)
  return dn && normal(dn).join(',')
}

/** Whether an entry is the base or below it. */
export function isWithin(entry: string, base: string): boolean {
  const [inner, outer] = [parseDn(entry), parseDn(base)]
  if (!inner || !outer || inner.length < outer.length) return false
  const [a, b] = [normal(inner).slice(inner.length - outer.length), normal(outer)]
  return b.every((rdn, at) => rdn === a[at])
}
