import { Client } from 'pg'
import { vi } from 'vitest'
import type { TestApp } from './test-app.ts'

export interface Statement {
  text: string
  values: unknown[]
}

/**
 * All statements of a server during some work, in order, including those of other work. Other servers in this process
 * have other databases, and are left out.
 */
export async function statementsOf<T>(
  { database }: Pick<TestApp, 'database'>,
  work: () => Promise<T>,
): Promise<{ result: T; statements: Statement[] }> {
  const own = new Client(database.url).database
  const query = vi.spyOn(Client.prototype, 'query')
  try {
    const result = await work()
    const { calls, contexts } = query.mock as unknown as {
      calls: [statement: string | Statement, values?: unknown[]][]
      contexts: Client[]
    }
    const asked = calls.filter((_, at) => contexts[at]?.database === own)
    return {
      result,
      statements: asked.map(([one, values = []]) => (typeof one === 'string' ? { text: one, values } : one)),
    }
  } finally {
    query.mockRestore()
  }
}
