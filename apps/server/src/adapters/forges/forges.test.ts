import { expect, test } from 'vitest'
import type { Outbound, OutboundRequest } from '../outbound/outbound.ts'
import { type CommitStatus, createForges, type ForgeAccess } from './forges.ts'

/** A forge that gives every request the same answer, and the requests that it got. */
function forgeThat(status: number, text = '{}') {
  const requests: OutboundRequest[] = []
  const outbound = {
    requestText: async (request: OutboundRequest) => {
      requests.push(request)
      return { status, headers: {}, text }
    },
  } as Pick<Outbound, 'requestText'> as Outbound
  return { requests, forges: createForges(outbound) }
}

const commit = 'd1d1293ab6eb20821f73bb8dabb8ebb294bc5847'
const status: CommitStatus = {
  commit,
  state: 'failed',
  name: 'Gantry: web',
  description: '#3',
  url: 'https://g.test/3',
}
const access = (forge: ForgeAccess['forge'], repository: string): ForgeAccess => ({
  forge,
  repository,
  username: '',
  password: 'token',
})
const { signal } = new AbortController()

test.each([
  [
    'gitea',
    'https://git.example.test/below/shop/web.git',
    'https://git.example.test/below/api/v1/repos/shop/web/pulls/7/files?limit=50&page=1',
    [{ filename: 'a.ts' }, { filename: 'c.ts', previous_filename: 'b.ts' }],
  ],
  [
    'github',
    'https://github.com/shop/web.git',
    'https://api.github.com/repos/shop/web/pulls/7/files?per_page=100&page=1',
    [{ filename: 'a.ts' }, { filename: 'c.ts', previous_filename: 'b.ts' }],
  ],
  [
    'gitlab',
    'https://gitlab.example.test/group/sub/web.git',
    'https://gitlab.example.test/api/v4/projects/group%2Fsub%2Fweb/merge_requests/7/diffs?per_page=100&page=1',
    [
      { old_path: 'a.ts', new_path: 'a.ts' },
      { old_path: 'b.ts', new_path: 'c.ts' },
    ],
  ],
] as const)('reads the files of a merge request from %s page by page', async (forge, repository, url, page) => {
  const urls: string[] = []
  const pages = [page, page.slice(0, 1), []]
  const forges = createForges({
    requestText: async (request: OutboundRequest) => {
      urls.push(String(request.url))
      return { status: 200, headers: {}, text: JSON.stringify(pages[urls.length - 1]) }
    },
  } as Pick<Outbound, 'requestText'> as Outbound)
  const files = await forges.changedFiles(access(forge, repository), 7, signal)
  expect(files?.toSorted()).toEqual(['a.ts', 'b.ts', 'c.ts'])
  expect(urls).toEqual([url, url.replace('&page=1', '&page=2'), url.replace('&page=1', '&page=3')])
})

test('stops reading the files of a merge request at the maximum, and refuses an answer that is not JSON', async () => {
  const { requests, forges } = forgeThat(
    200,
    JSON.stringify(Array.from({ length: 100 }, (_, at) => ({ filename: `${at}` }))),
  )
  expect(await forges.changedFiles(access('github', 'https://github.com/shop/web.git'), 7, signal)).toBeNull()
  expect(requests).toHaveLength(10)
  const { forges: web } = forgeThat(200, '<html>')
  const of = access('github', 'https://github.com/shop/web.git')
  await expect(web.changedFiles(of, 7, signal)).rejects.toMatchObject({ key: 'outbound-not-json' })
})

const familiar = { context: 'Gantry: web', description: '#3', target_url: 'https://g.test/3' }

test.each([
  [
    'gitea',
    'https://git.example.test/below/shop/web.git',
    `https://git.example.test/below/api/v1/repos/shop/web/statuses/${commit}`,
    { ...familiar, state: 'failure' },
  ],
  [
    'github',
    'https://github.com/shop/web.git',
    `https://api.github.com/repos/shop/web/statuses/${commit}`,
    { ...familiar, state: 'failure' },
  ],
  [
    'gitlab',
    'https://gitlab.example.test/group/sub/web.git',
    `https://gitlab.example.test/api/v4/projects/group%2Fsub%2Fweb/statuses/${commit}`,
    { name: 'Gantry: web', description: '#3', target_url: 'https://g.test/3', state: 'failed' },
  ],
] as const)('sends a commit status to %s in the form that it reads', async (forge, repository, url, body) => {
  const { requests, forges } = forgeThat(201)
  await forges.setStatus(access(forge, repository), status, signal)
  expect(
    requests.map((one) => ({ method: one.method, url: one.url, body: JSON.parse(String(one.body)) as unknown })),
  ).toEqual([{ method: 'POST', url, body }])
})

test.each([
  ['gitea', 'running', 'pending'],
  ['github', 'aborted', 'error'],
  ['gitlab', 'aborted', 'canceled'],
  ['gitlab', 'running', 'running'],
] as const)('%s gets the state %s as %s', async (forge, state, sent) => {
  const { requests, forges } = forgeThat(201)
  await forges.setStatus(access(forge, 'https://git.example.test/shop/web.git'), { ...status, state }, signal)
  expect(JSON.parse(String(requests[0]?.body))).toMatchObject({ state: sent })
})

test('a state that GitLab already has is no failure, but any other refusal is', async () => {
  const repository = 'https://gitlab.example.test/shop/web.git'
  const same = forgeThat(400, '{"message":"Cannot transition status via :run from :running"}').forges
  await same.setStatus(access('gitlab', repository), status, signal)
  await expect(forgeThat(403).forges.setStatus(access('gitlab', repository), status, signal)).rejects.toMatchObject({
    key: 'forge-denied',
  })
  await expect(forgeThat(502).forges.setStatus(access('github', repository), status, signal)).rejects.toMatchObject({
    key: 'outbound-status',
  })
})
