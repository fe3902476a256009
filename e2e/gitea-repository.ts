import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** A private repository of the test on the lab's Gitea, and a working folder that is pushed to it. */
export interface GiteaRepository {
  url: string
  username: string
  password: string
  /** The working folder. */
  folder: string
  /** Commits all changes and pushes them to main. Answers the commit. */
  push: (message: string) => string
  remove: () => Promise<void>
}

export async function giteaRepository(lab: Record<string, string>, name: string): Promise<GiteaRepository> {
  const { GITEA_URL: host = '', GITEA_USER: username = '', GITEA_PASSWORD: password = '' } = lab
  const api = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${host}/api/v1/${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  }
  await api('POST', 'user/repos', { name, private: true, default_branch: 'main' })
  const folder = mkdtempSync(join(tmpdir(), 'gantry-repository-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  git('init', '--quiet', '--initial-branch=main')
  const to = `${host.replace('://', `://${username}:${password}@`)}/${username}/${name}.git`
  return {
    url: `${host}/${username}/${name}.git`,
    username,
    password,
    folder,
    push: (message) => {
      git('add', '--all')
      git('commit', '--quiet', '--message', message)
      git('push', '--quiet', to, 'main')
      return git('rev-parse', 'HEAD').trim()
    },
    remove: async () => {
      rmSync(folder, { recursive: true })
      await api('DELETE', `repos/${username}/${name}`)
    },
  }
}

/** Copies this whole repository into a folder, in its present state. */
export function copyOfThisRepository(folder: string): void {
  const listed = execFileSync('git', ['-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  for (const file of listed.split('\0'))
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(folder, file))
}
