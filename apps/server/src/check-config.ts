// The launcher runs this before it creates anything: prints one line for a wrong variable, exits with 1, writes
// nothing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { StartError } from './kernel/fault.ts'

const scratch = mkdtempSync(join(tmpdir(), 'gantry-check-'))
try {
  readConfig({ DATABASE_URL: 'postgresql:///', ...process.env, GANTRY_DATA: scratch })
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stderr.write(`Gantry: ${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true })
}
