/** Sections in order; an undefined value omits its option. */
export type Sections = Record<string, Record<string, string | undefined>>

const sectionName = /^[a-z][a-z0-9_]*$/
/** Characters that a parser takes for the end of a line; no name or password contains them. */
const unwritable = /[\p{Cc}\u2028\u2029]/u

/**
 * Encodes a value for oslo.config, which treats `$` as a reference to another option unless it is escaped by a
 * backslash, and strips one pair of quotes around the whole as well as space at the ends.
 */
function encodeValue(value: string): string {
  if (unwritable.test(value)) throw new Error('a value of more than one line cannot be written')
  const plain = value.replaceAll('$', String.raw`\$`)
  return /^["']|^\s|\s$/.test(plain) ? `"${plain}"` : plain
}

/**
 * A file for oslo.config. No value can become another option or section, because it stays on its line. Throws for
 * control characters, which the contract refuses before.
 */
export function ini(sections: Sections): string {
  const blocks = Object.entries(sections).flatMap(([section, options]) => {
    const lines = Object.entries(options).flatMap(([name, value]) => {
      if (!sectionName.test(name)) throw new Error(`${name} is no name of an option`)
      return value === undefined ? [] : [`${name} = ${encodeValue(value)}`]
    })
    if (!sectionName.test(section)) throw new Error(`${section} is no name of a section`)
    return lines.length === 0 ? [] : [[`[${section}]`, ...lines].join('\n')]
  })
  return blocks.map((block) => `${block}\n`).join('\n')
}
