import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Limits } from '../config.ts'
import type { Network } from '../network/network.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Coverage } from './coverage.ts'
import { type Mode, mounts } from './scripts.ts'

interface Given {
  limits: Limits
  covered: Coverage
  mode: Mode
  network: Network
}

/** Returns the input of mount(8) for a job; with `work`: with that folder instead of the job's own workspace. */
export function mountTables({ limits, covered, mode, network }: Given): (room: Workspace, work?: string) => string {
  const { stepDir, hidden, silenced, exposed } = covered

  /** Adds the step's user to /etc/passwd, because ssh and other programs do not run for unknown users. */
  function writePasswd(room: Workspace): string | undefined {
    const { uid } = room.slot
    if (mode !== 'root' || uid === undefined || !existsSync('/etc/passwd')) return undefined
    const known = readFileSync('/etc/passwd', 'utf8').trimEnd()
    if (known.split('\n').some((line) => line.split(':')[2] === String(uid))) return undefined
    const entry = `gantry-build:x:${uid}:${uid}::${join(stepDir, 'home')}:/bin/sh`
    writeFileSync(join(room.dir, 'passwd'), `${known}\n${entry}\n`, { mode: 0o644 })
    return 'passwd'
  }

  return (room, work) => {
    const there = (path: string): boolean => existsSync(path)
    return mounts({
      name: `gantry-${room.jobId}-${room.attempt}-${process.pid}-${process.hrtime.bigint()}`,
      shared: ['/tmp', '/var/tmp'].filter(there),
      memory: ['/dev/shm'].filter(there),
      memorySize: Math.ceil(limits.memory / 2),
      hidden: hidden.filter(there),
      silenced,
      exposed,
      stepDir,
      resolvConf: there('/etc/resolv.conf') ? network.resolvConf : undefined,
      passwd: writePasswd(room),
      work,
    })
  }
}
