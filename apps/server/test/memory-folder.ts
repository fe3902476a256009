import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** With less free memory, the databases would take what other processes need. */
const leastRoom = 4 * 1024 ** 3

/** Whether programs can run from the folder: many containers mount it without that. */
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
 * Where the test databases are: in memory if there is room. A copy of the template is 1,500 small files, which take ten
 * times as long on a disk.
 */
export const memoryFolder = chooseFolder()
