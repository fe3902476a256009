import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startTemplate } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databases: { pattern: string; template: string }
    /** Of the run: goes with it. */
    folder: string
  }
}

/** One PostgreSQL and one folder a run; what tests made in them goes with them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { shared, stop } = await startTemplate()
  const folder = mkdtempSync(join(tmpdir(), 'gantry-run-'))
  project.provide('databases', shared)
  project.provide('folder', folder)
  return async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
