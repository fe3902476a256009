import { accessSync, constants, existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { untraversable, type Config } from '../config.ts'
import type { Mode } from './scripts.ts'

/** What of the machine a step does not see. */
export interface Coverage {
  /** Where a step sees its own folder: the same path for every build, so that what a tool caches by path stays good. */
  shown: string
  /** Folders that are empty for it, parents first. */
  hidden: string[]
  /** Files and sockets that are nothing for it. */
  silenced: string[]
  /** Folders inside hidden ones that it sees all the same, and cannot change. */
  exposed: string[]
}

export type ConfigPaths = Pick<Config, 'dir' | 'hide' | 'path' | 'tokenFile' | 'home' | 'limits'>

/** Steps have a /tmp of their own, which covers the machine's. */
export const inTmp = (path: string): boolean => /^\/(var\/)?tmp\//.test(path)
const within = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

/** Whoever may write to one of these is as good as root. */
const sockets = [
  '/run/docker.sock',
  '/run/podman/podman.sock',
  '/run/containerd/containerd.sock',
  '/run/crio/crio.sock',
]

export function coverage(config: ConfigPaths, mode: Mode): Coverage {
  const closed = mode === 'root' ? untraversable(config.dir) : null
  // As an ordinary user steps have that user's rights to files: keys and sockets of that person are not for them.
  const personal = mode === 'user' ? [config.home, '/run/user'].filter((path) => path !== '/' && existsSync(path)) : []
  const all = [...config.hide, config.dir, ...(closed === null ? [] : [closed]), ...personal].filter((p) => !inTmp(p))
  const hidden = [...new Set(all)]
    .filter((path) => !all.some((other) => within(path, other)))
    .sort((a, b) => a.length - b.length)
  const covered = (path: string): boolean => inTmp(path) || hidden.some((folder) => within(path, folder))
  const own = mode === 'user' ? sockets.filter(writable) : []
  return {
    shown: join(config.dir, 'build'),
    hidden,
    silenced: [config.tokenFile, ...own].filter((path) => existsSync(path) && !covered(path)),
    exposed: mode === 'user' ? tools(config.path, config.home).filter(existsSync) : [],
  }
}

/**
 * The person's own tools: a folder of the PATH inside the home, with what stands beside it where that is a tool's own folder
 * (`~/.nvm/versions/node/v22`) and not one that holds other things too (`~/.local`, `~/.cargo`).
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
