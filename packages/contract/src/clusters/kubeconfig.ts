const fence = /^[ \t]*(?:`{3,}|~{3,})[\w.-]*[ \t]*$/

const isWritten = (line: string): boolean => line.trim() !== ''

function sharedIndent(lines: readonly string[]): number {
  const [first = '', ...others] = lines.filter(isWritten)
  let shared = /^[ \t]*/.exec(first)?.[0].length ?? 0
  for (const line of others) {
    let same = 0
    while (same < shared && line[same] === first[same]) same++
    shared = same
  }
  return shared
}

/**
 * A kubeconfig without the traces of copying: byte order mark, Windows line ends, the Markdown fence around it, and the
 * indentation of every line. Lines keep their numbers, which messages name.
 */
export function normalizeKubeconfig(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  for (const at of [lines.findIndex(isWritten), lines.findLastIndex(isWritten)])
    if (fence.test(lines[at] ?? '')) lines[at] = ''
  const shared = sharedIndent(lines)
  return lines.map((line) => line.slice(shared)).join('\n')
}
