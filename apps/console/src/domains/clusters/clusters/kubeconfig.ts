import { normalizeKubeconfig } from '@gantry/contract/clusters/kubeconfig'
import { parseDocument } from 'yaml'

export interface Contexts {
  names: readonly string[]
  /** The current context of the file. */
  current: string | undefined
}

/** In characters. */
export const largestKubeconfig = 1_000_000

const none: Contexts = { names: [], current: undefined }

/** Characters on which the parser's time depends. The server refuses a text with more of them. */
const beginnings = /[\n,[{]|[-?:] /g
const maxBeginnings = 20_000

function parsed(text: string): unknown {
  if (text.length > largestKubeconfig || (text.match(beginnings)?.length ?? 0) > maxBeginnings) return undefined
  try {
    // the parser's own check for duplicate keys takes a minute for a map of 60,000
    const document = parseDocument(normalizeKubeconfig(text), { logLevel: 'silent', uniqueKeys: false })
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 50 })
  } catch {
    // an undefined or endlessly expanding alias; nesting that is too deep
    return undefined
  }
}

/** The contexts of a kubeconfig. The server decides whether it is valid; any text is parsed quickly. */
export function contextsOf(text: string): Contexts {
  const config = parsed(text)
  if (typeof config !== 'object' || config === null) return none
  const { contexts, 'current-context': current } = config as Record<string, unknown>
  const names = (Array.isArray(contexts) ? contexts : [])
    .map((context: unknown) => (context as { name?: unknown } | null)?.name)
    .filter((name): name is string => typeof name === 'string' && name !== '')
  return { names, current: typeof current === 'string' && names.includes(current) ? current : undefined }
}
