import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { PostgresRefusal } from './refusal.ts'

export type ServiceUser = { uid: number; gid: number }

/** PostgreSQL refuses to run as root, so root runs it as this user. Undefined: it runs as the current user. */
export const serviceUser = (): ServiceUser | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('daemon:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined)
    throw new PostgresRefusal(
      'PostgreSQL does not run as root, and this machine has no user "daemon": start as an ordinary user, or set DATABASE_URL.',
    )
  return { uid: Number(uid), gid: Number(gid) }
}

/** Asks the system itself, because mode bits do not cover access lists, mounts and mapped users. */
export const canEnter = (folder: string, user: ServiceUser | undefined): boolean => {
  if (!user) return true
  const { status, error } = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...user,
    cwd: '/',
    env: {},
    stdio: 'ignore',
  })
  if (error)
    throw new PostgresRefusal(
      `PostgreSQL does not run as root, and this machine does not let root become "daemon" (${error.message}): start as an ordinary user, or set DATABASE_URL.`,
    )
  return status === 0
}
