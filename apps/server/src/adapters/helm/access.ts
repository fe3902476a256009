import { Fault } from '../../kernel/fault.ts'

/** A repository and its credentials, opened. */
export interface RepositoryAccess {
  name: string
  url: string
  kind: 'index' | 'oci'
  username: string
  password: string
  /** PEM; empty where the usual authorities are enough. */
  ca: string
}

const answerMs = 5_000

/** A server that says nothing is given up long before one that says much. */
export function answering(signal: AbortSignal, host: string) {
  const silent = new AbortController()
  const timer = setTimeout(() => silent.abort(new Fault('badGateway', 'outbound-timeout', { host })), answerMs)
  return { signal: AbortSignal.any([signal, silent.signal]), answered: () => clearTimeout(timer) }
}
