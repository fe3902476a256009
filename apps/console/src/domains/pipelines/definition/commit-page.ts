import { isHttpUrl, readSshUrl } from '@gantry/contract/pipelines/repository-url'

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)

/**
 * The page of a commit at the git host: GitHub, GitLab, Gitea and Forgejo have the same path. For a repository over
 * SSH, the same host over https. Undefined without a known page: for a local repository, or one on this machine.
 */
export function commitPage(repository: string, commit: string): string | undefined {
  const ssh = readSshUrl(repository)
  const path = ssh && repository.replace(/^ssh:\/\/[^/]+\//, '').replace(/^[^/:]+:/, '')
  const url = ssh ? URL.parse(`https://${ssh.host}/${path}`) : isHttpUrl(repository) ? URL.parse(repository) : null
  if (!url || isLoopback(url.hostname)) return undefined
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')}/commit/${commit}`
}
