import { describe, expect, test } from 'vitest'
import { readSshUrl, repositoryHost, repositoryName, repositoryUrl } from './repository-url.ts'

describe('the address of a repository', () => {
  test.each([
    ['ssh://git@git.example.org/team/app.git', { user: 'git', host: 'git.example.org', port: 22 }],
    ['ssh://git.example.org:2222/app', { user: 'git', host: 'git.example.org', port: 2222 }],
    ['ssh://deploy@[fd00::1]:2222/app.git', { user: 'deploy', host: 'fd00::1', port: 2222 }],
    ['git@GitHub.example:team/app.git', { user: 'git', host: 'github.example', port: 22 }],
    ['git@host:~robin/app', { user: 'git', host: 'host', port: 22 }],
  ])('%s is read as SSH', (url, address) => {
    expect(readSshUrl(url)).toEqual(address)
    expect(repositoryUrl.parse(url)).toBe(url)
  })

  test.each([
    'ssh://-oProxyCommand=id/x',
    'ssh://git@-oProxyCommand=id/x',
    'ssh://git:secret@host/x',
    'ssh://host:0/x',
    'ssh://host:99999/x',
    'ssh://host',
    'ssh://host/a b',
    "ssh://host/a';id'",
    'ssh://host/$(id)',
    'git@host:-x',
    'git@host::x',
    'host:path',
    'ext::sh -c id',
    'file:///etc',
    '/srv/app.git',
    'https://user:secret@host/x',
  ])('refuses %s', (url) => {
    expect(readSshUrl(url)).toBeUndefined()
    expect(repositoryUrl.safeParse(url).success).toBe(false)
  })

  test.each([
    ['https://git.example.org/x', 'git.example.org'],
    ['git@git.example.org:x', 'git.example.org'],
    ['ssh://git@git.example.org:2222/x', 'git.example.org:2222'],
    ['ssh://git@[::1]/x', '[::1]'],
    ['nothing', undefined],
  ])('the host of %s is %s', (url, host) => {
    expect(repositoryHost(url)).toBe(host)
  })
})

test.for<[url: string, name: string]>([
  [' https://git.example.org/team/Shop.git ', 'Shop'],
  ['https://git.example.org/team/shop/', 'shop'],
  ['git@git.example.org:shop.git', 'shop'],
  ['', ''],
])('the repository name of %s is %s', ([url, name]) => expect(repositoryName(url)).toBe(name))
