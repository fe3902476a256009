import { RE2JS } from 're2js'

/** `**` matches slashes and `*` does not, `?` is one character; anything else is literal. */
const parts = /\*\*\/|\*\*|\*|\?|[^*?]+/g

const meaning: Record<string, string> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }

const patternOf = (glob: string): string =>
  (glob.match(parts) ?? []).map((part) => meaning[part] ?? RE2JS.quote(part)).join('')

/** Whether a text matches one of the globs, in linear time for any glob; no globs match everything. */
export function anyGlob(globs: readonly string[]): (text: string) => boolean {
  if (globs.length === 0) return () => true
  const pattern = RE2JS.compile(`(?:${globs.map(patternOf).join('|')})`, RE2JS.DOTALL)
  return (text) => pattern.matches(text)
}

/**
 * Whether patterns match a path or a folder above it. Matches of a pattern with `!` are excluded; if there are only
 * such patterns, everything else matches.
 */
export function anyPath(patterns: readonly string[]): (path: string) => boolean {
  const within = (some: string[]) => anyGlob(some.flatMap((one) => (/[*?][^/]*$/.test(one) ? one : [one, `${one}/**`])))
  const left = patterns.filter((one) => one.startsWith('!')).map((one) => one.slice(1))
  const isNamed = within(patterns.filter((one) => !one.startsWith('!')))
  const isLeft = left.length === 0 ? () => false : within(left)
  return (path) => isNamed(path) && !isLeft(path)
}
