import type { Readable } from 'node:stream'

export interface RegistryRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the registry's origin: a path that begins with `/v2/`, or a Location that the registry answered. */
  path: string
  headers?: Record<string, string>
  /** Called for each attempt: once, and again if the request is repeated with authentication. */
  body?: () => Buffer | Readable
  /** Bytes of the body. */
  length?: number
}

/** Names in lower case. */
export type AnswerHeaders = Record<string, string | string[] | undefined>

/** One authenticated request to a registry. The caller supplies the transport, its limits, and its errors. */
export type Call = (request: RegistryRequest) => Promise<{ status: number; headers: AnswerHeaders; text: string }>

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299
