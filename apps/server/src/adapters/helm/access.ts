import { Fault } from '../../kernel/fault.ts'

/** A repository with its credentials in clear text. */
export interface RepositoryAccess {
  name: string
  url: string
  kind: 'index' | 'oci'
  username: string
  password: string
  /** PEM; empty if the usual authorities are enough. */
  ca: string
}

const answerMs = 5_000

/** Aborts after 5 s without an answer; a server that has begun to answer gets more time. */
export function answering(signal: AbortSignal, host: string) {
  const silent = new AbortController()
  const timer = setTimeout(() => silent.abort(new Fault('badGateway', 'outbound-timeout', { host })), answerMs)
  return { signal: AbortSignal.any([signal, silent.signal]), answered: () => clearTimeout(timer) }
}
