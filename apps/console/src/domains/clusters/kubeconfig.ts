import { parseDocument } from 'yaml'

export interface Contexts {
  names: readonly string[]
  /** The one that the file itself would use. */
  current: string | undefined
}

const none: Contexts = { names: [], current: undefined }

/** The contexts that a kubeconfig offers. Whether it is one is the server's to say. */
export function contextsOf(text: string): Contexts {
  const document = parseDocument(text, { logLevel: 'silent' })
  if (document.errors.length > 0) return none
  const config: unknown = document.toJS()
  if (typeof config !== 'object' || config === null) return none
  const { contexts, 'current-context': current } = config as Record<string, unknown>
  const names = (Array.isArray(contexts) ? contexts : [])
    .map((context: unknown) => (context as { name?: unknown } | null)?.name)
    .filter((name): name is string => typeof name === 'string' && name !== '')
  return { names, current: typeof current === 'string' && names.includes(current) ? current : undefined }
}
