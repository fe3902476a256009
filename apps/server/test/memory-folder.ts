import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** With less room, tests would take the memory of others. */
const leastRoom = 4 * 1024 ** 3

/** Whether programs may be started from there: many containers mount it without. */
function startsPrograms(folder: string): boolean {
  const scratch = mkdtempSync(join(folder, 'gantry-try-'))
  try {
    const program = join(scratch, 'program')
    writeFileSync(program, '', { mode: 0o755 })
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function chooseFolder(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= leastRoom && startsPrograms(memory) ? memory : tmpdir()
}

/**
 * Where the databases of tests lie: in memory where there is room. A copy of the template is 1,500 small files, which
 * a disk takes ten times as long for.
 */
export const memoryFolder = chooseFolder()
