/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from '../trial/client.ts'
import type { Case, CaseContext } from '../trial/trial.ts'

export const failure = (code: number, reason: string, message: unknown, details?: Json): Json => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: message instanceof RegExp ? expect.stringMatching(message) : message,
  ...(reason === '' ? {} : { reason }),
  ...(details === undefined ? {} : { details }),
  code,
})

export interface Refused {
  title: string
  method: string
  /** The API group, below the case's namespace. */
  group: string
  path: string
  body?: (name: string) => unknown
  type?: string
  query?: Record<string, string>
  answer: (name: string) => Json
}

/** Makes a case of each row. */
export const refusals = (rows: Refused[]): Case[] =>
  rows.map(({ title, method, group, path, body, type, query, answer }) => ({
    title,
    async run({ kube, at, name }: CaseContext) {
      const one = name('refused')
      const given = {
        ...(body ? { body: body(one) } : {}),
        ...(type === undefined ? {} : { type }),
        ...(query ? { query } : {}),
      }
      expect((await kube.call(method, at(group, path), given)).body).toEqual(answer(one))
    },
  }))
