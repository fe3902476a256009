import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder of this file's tests alone, which goes with them. */
export function testFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `gantry-${name}-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
