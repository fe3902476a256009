import { createReadStream } from 'node:fs'
import { access, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { addCommit, type Commit, createRepository, servedFile } from './local.ts'

/**
 * The product's own bare git repositories, in one folder of its data. Their names (`12/hello.git`) are generated and
 * never contain user input.
 */
export interface OwnRepositories {
  /** Creates the repository with its first commit, atomically; an existing one stays unchanged. */
  create(name: string, branch: string, first: Commit): Promise<void>
  commit(name: string, branch: string, commit: Commit): Promise<void>
  /** A file that git may request; throws a Fault `missing` for anything else. */
  read(name: string, file: string): Promise<{ size: number; body: Readable }>
  remove(name: string): Promise<void>
}

const wellFormed = /^[a-z0-9][a-z0-9.-]*(\/[a-z0-9][a-z0-9.-]*)*$/

export function ownRepositories({ path: gitPath, folder }: { path: string; folder: string }): OwnRepositories {
  const placeOf = (name: string): string => {
    if (!wellFormed.test(name)) throw new Error(`no name of a repository: ${name}`)
    return join(folder, name)
  }
  return {
    async create(name, branch, first) {
      const place = placeOf(name)
      const there = await access(place).then(
        () => true,
        () => false,
      )
      if (!there) await createRepository(gitPath, place, branch, [first])
    },
    commit: (name, branch, commit) => addCommit(gitPath, placeOf(name), branch, commit),
    async read(name, file) {
      const path = await servedFile(placeOf(name), file)
      const { size } = await stat(path)
      return { size, body: createReadStream(path) }
    },
    remove: (name) => rm(placeOf(name), { recursive: true, force: true }),
  }
}
