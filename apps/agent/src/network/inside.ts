import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket as Datagrams } from 'node:dgram'
import { mkdirSync, rmSync } from 'node:fs'
import type { Server, Socket } from 'node:net'
import { join } from 'node:path'
import { isAlive, readIdentity, send, type Identity } from '../executors/process-tree.ts'
import { systemPath } from '../executors/scripts.ts'
import { type Opening, listenInside } from './listen-inside.ts'

export type Opened =
  | { door: Opening; take: (socket: Socket) => void }
  | { door: Opening; attach: (socket: Datagrams) => void }

/** A network namespace, held by a process that sleeps in it: it disappears with that process and the steps in it. */
export interface Inside {
  holder: Identity
  /** The words before a command that is to run in it. */
  enter: string[]
}

/**
 * Once the namespace's loopback is up, prints its identity in the same form as a step's wrapper (see scripts.ts), so
 * that the same functions can read it.
 */
const hold = `
set -e
ip link set lo up
read -r me < /proc/self/stat
read -r boot < /proc/sys/kernel/random/boot_id
echo "$boot $me" > "$1/pid"
echo ready
exec sleep 2147483647 > /dev/null
`

export async function makeInside(folder: string, user: boolean): Promise<Inside> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const apart = [...(user ? ['--user', '--map-root-user'] : []), '--net']
  const child = spawn('unshare', [...apart, '/bin/sh', '-c', hold, 'sh', folder], {
    cwd: '/',
    env: { PATH: systemPath },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  await lineOf(child)
  child.unref()
  const inside = adoptInside(folder, user)
  if (inside === undefined) throw new Error('the process that holds a network ended')
  return inside
}

/** The namespace that an earlier agent process created, if it still exists. */
export function adoptInside(folder: string, user: boolean): Inside | undefined {
  const holder = readIdentity(join(folder, 'pid'))
  if (holder === undefined || !isAlive(holder)) return undefined
  const namespaces = `/proc/${holder.pid}/ns`
  const users = user ? [`--user=${namespaces}/user`, '--preserve-credentials'] : []
  return { holder, enter: ['nsenter', ...users, `--net=${namespaces}/net`] }
}

export function endInside(folder: string): void {
  const holder = readIdentity(join(folder, 'pid'))
  if (holder !== undefined && isAlive(holder)) send(holder.pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** Opens the listening sockets in the namespace; returns a function that closes them. */
export async function openDoors(inside: Inside, opened: Opened[]): Promise<() => void> {
  const doors = JSON.stringify(opened.map(({ door }) => door))
  const [command = '', ...words] = inside.enter
  const child = spawn(command, [...words, process.execPath, '-e', `(${listenInside.toString()})(${doors})`], {
    cwd: '/',
    env: { PATH: systemPath },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const sockets: (Server | Datagrams)[] = []
  await new Promise<void>((done, failed) => {
    let said = ''
    child.stderr?.on('data', (part: Buffer) => (said += part.toString('utf8')))
    child.once('error', failed)
    child.once('close', () => failed(new Error(`a step's network cannot be listened in: ${said.trim()}`)))
    child.on('message', ({ index }: { index: number }, socket) => {
      const one = opened[index]
      if (one === undefined || socket === undefined) return
      if ('take' in one) (socket as Server).on('connection', one.take)
      else one.attach(socket as Datagrams)
      sockets.push(socket as Server)
      if (sockets.length === opened.length) done()
    })
  })
  child.disconnect()
  return () => {
    for (const socket of sockets) socket.close()
  }
}

/** Resolves at the first line that a process prints; rejects if it prints none, with the reason. */
function lineOf(child: ChildProcess): Promise<void> {
  return new Promise((done, failed) => {
    let trouble = ''
    child.stdout?.once('data', () => {
      child.stdout?.destroy()
      child.stderr?.destroy()
      done()
    })
    child.stderr?.on('data', (part: Buffer) => (trouble += part.toString('utf8')))
    child.once('error', failed)
    child.once('close', () => failed(new Error(trouble.trim())))
  })
}
