import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startTemplate } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databases: { pattern: string; template: string }
    /** Folder of the run, deleted at its end. */
    folder: string
  }
}

/** One PostgreSQL and one folder per run, both deleted at its end. */
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
