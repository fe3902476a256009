import type { Readable } from 'node:stream'

export interface RegistryRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the registry's origin, from `/v2/` on, or a Location that it answered. */
  path: string
  headers?: Record<string, string>
  /** Asked for when the request is made, and again when it is repeated after signing in. */
  body?: () => Buffer | Readable
  /** Bytes of the body. */
  length?: number
}

/** Names in lower case. */
export type AnswerHeaders = Record<string, string | string[] | undefined>

/** One exchange with a registry, signed in. Its caller's own are the transport, its limits, and what is thrown where that fails. */
export type Call = (request: RegistryRequest) => Promise<{ status: number; headers: AnswerHeaders; text: string }>

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299
