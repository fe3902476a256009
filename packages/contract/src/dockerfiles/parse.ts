/** One instruction of a Dockerfile, its continued lines joined by spaces. */
export interface Instruction {
  /** The line of its beginning, from 1. */
  line: number
  /** In upper case. */
  name: string
  /** The text after the name, without flags. */
  rest: string
  /** Maps `from` to `build` for `--from=build`. */
  flags: ReadonlyMap<string, string>
  /** The name of a here-document without an end. */
  open?: string
}

const continues = (line: string, escape: string): boolean => line.trimEnd().endsWith(escape)

/** The escape character, which a directive before the first instruction may change. */
function escapeOf(lines: readonly string[]): string {
  for (const line of lines) {
    const directive = /^\s*#\s*([a-z]+)\s*=\s*(.*?)\s*$/i.exec(line)
    if (!directive) return '\\'
    if (directive[1]?.toLowerCase() === 'escape') return directive[2] === '`' ? '`' : '\\'
  }
  return '\\'
}

const hereDocument = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/g

/** The instructions of a Dockerfile, in order; invalid text is parsed as far as possible. */
export function parseDockerfile(text: string): Instruction[] {
  const lines = text.split(/\r?\n/)
  const escape = escapeOf(lines)
  const found: Instruction[] = []
  for (let at = 0; at < lines.length; at++) {
    const first = lines[at] ?? ''
    if (first.trim() === '' || first.trimStart().startsWith('#')) continue
    const line = at + 1
    const parts = [first]
    while (continues(parts.at(-1) ?? '', escape) && at + 1 < lines.length) {
      parts.push(parts.pop()?.trimEnd().slice(0, -1) ?? '')
      at++
      // comments and empty lines within a continued instruction do not belong to it
      while (/^\s*(#.*)?$/.test(lines[at] ?? '') && at + 1 < lines.length) at++
      parts.push(lines[at] ?? '')
    }
    const instruction = instructionOf(parts.join(' ').trim(), line)
    if (['RUN', 'COPY', 'ADD'].includes(instruction.name))
      for (const [, , end = ''] of instruction.rest.matchAll(hereDocument)) {
        at++
        while (at < lines.length && lines[at]?.trim() !== end) at++
        if (at >= lines.length) instruction.open = end
      }
    found.push(instruction)
  }
  return found
}

function instructionOf(text: string, line: number): Instruction {
  const [, name = text, after = ''] = /^(\S+)\s*(.*)$/s.exec(text) ?? []
  const flags = new Map<string, string>()
  let rest = after
  for (let flag = /^--([a-z-]+)(?:=(\S*))?\s*/i.exec(rest); flag; flag = /^--([a-z-]+)(?:=(\S*))?\s*/i.exec(rest)) {
    flags.set((flag[1] ?? '').toLowerCase(), flag[2] ?? '')
    rest = rest.slice(flag[0].length)
  }
  return { line, name: name.toUpperCase(), rest: rest.trim(), flags }
}

/** The image of a FROM as written, and the name of the stage in lower case. */
export function fromOf({ rest }: Instruction): { image: string; as: string | undefined } | undefined {
  const [, image, as] = /^(\S+)(?:\s+as\s+(\S+))?$/i.exec(rest) ?? []
  return image === undefined ? undefined : { image, as: as?.toLowerCase() }
}
