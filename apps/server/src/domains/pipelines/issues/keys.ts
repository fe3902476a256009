/** No commit names more on purpose. */
export const maxKeys = 20

const pattern = /(?<![A-Za-z0-9])([A-Z][A-Z0-9_]*)-([1-9]\d{0,8})(?![A-Za-z0-9_])/g

/** The issue keys of these projects in a text, each once, in the order of the text. */
export function issueKeysIn(text: string, projects: ReadonlySet<string>): string[] {
  const found = new Set<string>()
  for (const [key, project = ''] of text.matchAll(pattern)) {
    if (projects.has(project)) found.add(key)
    if (found.size === maxKeys) break
  }
  return [...found]
}

const keyword = /(?<![\w-])--(story|bug|task)=([1-9]\d{0,8}|1[01]\d{14,21})(?!\d)/g

/**
 * The TAPD items that keywords name in a text, such as `--story=1001234`: each once, in order. A full id contains its
 * workspace, which must be one of these.
 */
export function tapdKeysIn(text: string, workspaces: ReadonlySet<string>): string[] {
  const found = new Set<string>()
  for (const [, kind = '', id = ''] of text.matchAll(keyword)) {
    if (id.length < 10 || workspaces.has(id.slice(2, -9))) found.add(`${kind}-${id}`)
    if (found.size === maxKeys) break
  }
  return [...found]
}
