import { RE2JS } from 're2js'

/** `**` crosses slashes and `*` does not, `?` is one character; anything else stands for itself. */
const parts = /\*\*\/|\*\*|\*|\?|[^*?]+/g

const meaning: Record<string, string> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }

const patternOf = (glob: string): string =>
  (glob.match(parts) ?? []).map((part) => meaning[part] ?? RE2JS.quote(part)).join('')

/** Whether a text matches one of the globs, in linear time whatever they are; no globs match everything. */
export function anyGlob(globs: readonly string[]): (text: string) => boolean {
  if (globs.length === 0) return () => true
  const pattern = RE2JS.compile(`(?:${globs.map(patternOf).join('|')})`, RE2JS.DOTALL)
  return (text) => pattern.matches(text)
}
