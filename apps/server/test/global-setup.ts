import type { TestProject } from 'vitest/node'
import { startTemplate } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databases: { pattern: string; template: string }
  }
}

/** One PostgreSQL a run; its databases go with it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { shared, stop } = await startTemplate()
  project.provide('databases', shared)
  return stop
}
