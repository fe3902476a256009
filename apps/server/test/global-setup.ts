import type { TestProject } from 'vitest/node'
import { startTemplate } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databases: string
  }
}

/** One PostgreSQL a run; its databases go with it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { pattern, stop } = await startTemplate()
  project.provide('databases', pattern)
  return stop
}
