/**
 * Patterns of files below the workspace, as the contract allows them: `*` and `?` within a name, `**` for any number of
 * folders. Names that begin with a dot match like others, but no wildcard enters the repository's own `.git`. A pattern
 * that matches a folder matches everything in it.
 */
export interface Pattern {
  /** The folders before the first wildcard: the search begins there, and `relative` is relative to it. */
  base: string
  /** The pattern has no wildcard: it is one file, or a folder with everything in it. */
  literal: boolean
  /** Whether a path below the workspace matches, itself or through a folder that matches. */
  matches: (path: string) => boolean
  /** Whether something below this folder may match; if not, the folder need not be read. */
  mayHold: (folder: string) => boolean
}

const wild = /[*?]/

export function pattern(text: string): Pattern {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.')
  const fixed = parts.findIndex((part) => wild.test(part))
  const literal = fixed < 0
  const base = (literal ? parts : parts.slice(0, fixed)).join('/')
  const names = parts.map((part) => (part === '**' ? part : [...part]))

  // the possible positions in the pattern after the names so far; one beyond its end means that it is used up
  const after = (path: string): Set<number> => {
    let at = closure(new Set([0]))
    for (const [depth, name] of path.split('/').entries()) {
      const next = new Set<number>()
      for (const position of at) {
        const want = names[position]
        if (isGit(name, depth) && parts[position] !== name) continue
        if (want === '**' || want === undefined) next.add(position)
        else if (nameMatches(want, [...name])) next.add(position + 1)
      }
      at = closure(next)
      if (at.size === 0) break
    }
    return at
  }
  const closure = (positions: Set<number>): Set<number> => {
    for (const position of positions) if (names[position] === '**') positions.add(position + 1)
    return positions
  }

  return {
    base,
    literal,
    matches: (path) => after(path).has(names.length),
    mayHold: (folder) => folder === '' || after(folder).size > 0,
  }
}

const isGit = (name: string, depth: number): boolean => depth === 0 && name === '.git'

/** Compares by code points. Only the last star is ever retried, so the time is at most the product of the lengths. */
function nameMatches(part: readonly string[], name: readonly string[]): boolean {
  let [p, n, star, from] = [0, 0, -1, 0]
  while (n < name.length) {
    if (part[p] === '*') {
      star = p++
      from = n
    } else if (p < part.length && (part[p] === '?' || part[p] === name[n])) {
      p++
      n++
    } else if (star >= 0) {
      p = star + 1
      n = ++from
    } else return false
  }
  while (part[p] === '*') p++
  return p === part.length
}
