import { isHttpUrl, readSshUrl } from '@gantry/contract/pipelines/repository-url'

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)

/**
 * Where the git host shows a commit: GitHub, GitLab, Gitea and Forgejo agree on the path. A repository that is reached
 * over SSH is shown by the same host over https. Undefined where no page is known: a local repository, one on this machine.
 */
export function commitPage(repository: string, commit: string): string | undefined {
  const ssh = readSshUrl(repository)
  const path = ssh && repository.replace(/^ssh:\/\/[^/]+\//, '').replace(/^[^/:]+:/, '')
  const url = ssh ? URL.parse(`https://${ssh.host}/${path}`) : isHttpUrl(repository) ? URL.parse(repository) : null
  if (!url || isLoopback(url.hostname)) return undefined
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')}/commit/${commit}`
}
