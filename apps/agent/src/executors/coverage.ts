import { accessSync, constants, existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { untraversable, type Config } from '../config.ts'
import type { Mode } from './scripts.ts'

/** The parts of the machine that a step must not see. */
export interface Coverage {
  /** The path of a step's own folder: the same for every build, so that what tools cache by path stays valid. */
  stepDir: string
  /** Folders that are empty for the step, parents first. */
  hidden: string[]
  /** Files and sockets that are replaced by /dev/null. */
  silenced: string[]
  /** Folders inside hidden ones that the step sees read-only nevertheless. */
  exposed: string[]
}

export type ConfigPaths = Pick<Config, 'dir' | 'hide' | 'path' | 'tokenFile' | 'home' | 'limits'>

/** Whether the path is below /tmp: steps have their own, which covers the machine's. */
export const inTmp = (path: string): boolean => /^\/(var\/)?tmp\//.test(path)
const within = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

/** Sockets whose users are as powerful as root. */
const sockets = [
  '/run/docker.sock',
  '/run/podman/podman.sock',
  '/run/containerd/containerd.sock',
  '/run/crio/crio.sock',
]

export function coverage(config: ConfigPaths, mode: Mode): Coverage {
  const closed = mode === 'root' ? untraversable(config.dir) : null
  // an ordinary user's steps have that user's file rights, so the user's keys and sockets are hidden
  const personal = mode === 'user' ? [config.home, '/run/user'].filter((path) => path !== '/' && existsSync(path)) : []
  const all = [...config.hide, config.dir, ...(closed === null ? [] : [closed]), ...personal].filter((p) => !inTmp(p))
  const hidden = [...new Set(all)]
    .filter((path) => !all.some((other) => within(path, other)))
    .sort((a, b) => a.length - b.length)
  const covered = (path: string): boolean => inTmp(path) || hidden.some((folder) => within(path, folder))
  const own = mode === 'user' ? sockets.filter(writable) : []
  return {
    stepDir: join(config.dir, 'build'),
    hidden,
    silenced: [config.tokenFile, ...own].filter((path) => existsSync(path) && !covered(path)),
    exposed: mode === 'user' ? tools(config.path, config.home).filter(existsSync) : [],
  }
}

/**
 * The user's own tools: folders of the PATH inside the home. The folder around a `bin` is included if it belongs to the
 * tool (`~/.nvm/versions/node/v22`), but not if it contains other things too (`~/.local`, `~/.cargo`).
 */
function tools(path: string, home: string): string[] {
  const folders = path.split(':').filter((folder) => within(folder, home))
  return folders.map((folder) =>
    basename(folder) === 'bin' && dirname(dirname(folder)) !== home && within(dirname(folder), home)
      ? dirname(folder)
      : folder,
  )
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
