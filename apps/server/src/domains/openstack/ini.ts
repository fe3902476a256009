/** Sections in order; a value of undefined leaves its option out. */
export type Sections = Record<string, Record<string, string | undefined>>

const sectionName = /^[a-z][a-z0-9_]*$/
/** What a reader takes for the end of a line, and what no name or password holds. */
const unwritable = /[\p{Cc}\u2028\u2029]/u

/**
 * A value as oslo.config reads it back: `$` begins a reference to another option unless a backslash stands before it, one
 * pair of quotes around the whole is taken off, and so is space at the ends.
 */
function encodeValue(value: string): string {
  if (unwritable.test(value)) throw new Error('a value of more than one line cannot be written')
  const plain = value.replaceAll('$', String.raw`\$`)
  return /^["']|^\s|\s$/.test(plain) ? `"${plain}"` : plain
}

/**
 * A file that oslo.config reads. No value can become another option or section: it stays in its line, behind its name.
 * Throws for control characters, which the contract refuses before.
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
