import type { Readable } from 'node:stream'

export interface RegistryRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the registry's origin, from `/v2/` on, or a Location that it answered. */
  path: string
  headers?: Record<string, string>
  /** Called when the request is made, and again when it is repeated with authentication. */
  body?: () => Buffer | Readable
  /** Bytes of the body. */
  length?: number
}

/** Names in lower case. */
export type AnswerHeaders = Record<string, string | string[] | undefined>

/** One authenticated exchange with a registry. The caller supplies the transport, its limits, and its errors. */
export type Call = (request: RegistryRequest) => Promise<{ status: number; headers: AnswerHeaders; text: string }>

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299
