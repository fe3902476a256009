import { createHmac, randomUUID } from 'node:crypto'

/** Recorded webhooks of Git hosts, reduced to the fields that a receiver could read. */
export interface Report {
  headers: Record<string, string>
  payload: string
}

export interface Commit {
  added?: string[]
  modified?: string[]
  removed?: string[]
}

const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text)
export const commit = 'c4b1d9f7a1a4a6f0c3d5b8e2f4a6c8e0d2b4f6a8'
const before = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c'

const spelt = (changes: Commit[], message?: string) =>
  changes.map((one, at) => ({
    id: at === changes.length - 1 ? commit : before,
    message: message !== undefined && at === changes.length - 1 ? message : `change ${at}`,
    timestamp: '2026-11-24T10:00:00Z',
    author: { name: 'Ada', email: 'ada@example.org', username: 'ada' },
    added: [],
    modified: [],
    removed: [],
    ...one,
  }))

export interface Push {
  /** Name of the repository. */
  name?: string
  /** Time of the push, in GitHub's format. */
  at?: Date
  ref?: string
  changes?: Commit[]
  /** Message of the newest commit. */
  message?: string
  total?: number
  delivery?: string
}

const gitHubPush = ({
  ref = 'refs/heads/main',
  changes = [{ modified: ['README.md'] }],
  message,
  name = 'demo/hello',
  at = new Date(),
}: Push) => ({
  ref,
  before,
  after: commit,
  created: false,
  deleted: false,
  forced: false,
  compare: 'https://forge.example.org/demo/hello/compare/0f1e2d3c...c4b1d9f7',
  commits: spelt(changes, message),
  head_commit: spelt(changes, message).at(-1) ?? { id: commit },
  repository: {
    id: 7,
    full_name: name,
    private: true,
    default_branch: 'main',
    pushed_at: Math.floor(at.getTime() / 1000),
  },
  pusher: { name: 'ada', email: 'ada@example.org' },
  sender: { login: 'ada', id: 1, type: 'User' },
})

export const pullRequest = (
  action = 'opened',
  { fork = false, number = 12, source = 'feature/greeting', at = new Date() } = {},
) => ({
  action,
  number,
  pull_request: {
    id: 99,
    title: 'A greeting',
    state: 'open',
    updated_at: at.toISOString(),
    head: { label: source, ref: source, sha: commit, repo: { id: fork ? 8 : 7 } },
    base: { label: 'main', ref: 'main', sha: before, repo: { id: 7 } },
    merged: false,
  },
  repository: { id: 7, full_name: 'demo/hello' },
})

/** Signed like Gitea does. */
export function gitea(secret: string, event: string, body: object, delivery: string = randomUUID()): Report {
  const payload = JSON.stringify(body, null, 2)
  const signature = hmac(secret, payload).digest('hex')
  return {
    payload,
    headers: {
      'content-type': 'application/json',
      'x-gitea-event': event,
      'x-gitea-delivery': delivery,
      'x-gitea-signature': signature,
      'x-github-event': event,
      'x-github-delivery': delivery,
      'x-hub-signature-256': `sha256=${signature}`,
    },
  }
}

export const giteaPush = (secret: string, { total, delivery, ...push }: Push = {}) =>
  gitea(secret, 'push', { ...gitHubPush(push), total_commits: total ?? (push.changes ?? [{}]).length }, delivery)

interface GitHubSigning {
  delivery?: string
  form?: boolean
}

/** Signed like GitHub does; `form` for the encoding used if JSON is not chosen. */
export function gitHub(
  secret: string,
  event: string,
  body: object,
  { delivery = randomUUID(), form = false }: GitHubSigning = {},
): Report {
  const payload = form ? new URLSearchParams({ payload: JSON.stringify(body) }).toString() : JSON.stringify(body)
  return {
    payload,
    headers: {
      'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      'user-agent': 'GitHub-Hookshot/044aadd',
      'x-github-event': event,
      'x-github-delivery': delivery,
      'x-hub-signature-256': `sha256=${hmac(secret, payload).digest('hex')}`,
    },
  }
}

/** Signs any payload like GitHub does. */
export const signed = (secret: string, payload: string): Report => ({
  payload,
  headers: {
    'content-type': 'application/json',
    'x-github-event': 'push',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${hmac(secret, payload).digest('hex')}`,
  },
})

export const gitHubPushed = (secret: string, push: Push = {}, how: { form?: boolean } = {}) =>
  gitHub(secret, 'push', gitHubPush(push), how)

interface GitLabSigning {
  /** Whether it has GitLab's newer signature instead of the token. */
  signed?: boolean
  /** Seconds by which its time is ahead. */
  skew?: number
  delivery?: string
}

/** Sent like GitLab does. */
export function gitLab(
  secret: string,
  event: string,
  body: object,
  { signed = false, skew = 0, delivery = randomUUID() }: GitLabSigning = {},
): Report {
  const payload = JSON.stringify(body)
  const at = String(Math.floor(Date.now() / 1000) + skew)
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return {
    payload,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitLab/19.0.0',
      'x-gitlab-event': event,
      'idempotency-key': delivery,
      'x-gitlab-event-uuid': randomUUID(),
      ...(signed
        ? {
            'webhook-id': delivery,
            'webhook-timestamp': at,
            'webhook-signature': `v1,${hmac(key, `${delivery}.${at}.${payload}`).digest('base64')}`,
          }
        : { 'x-gitlab-token': secret }),
    },
  }
}

export const gitLabPush = ({
  ref = 'refs/heads/main',
  changes = [{ modified: ['README.md'] }],
  message,
  total,
}: Push = {}) => ({
  object_kind: ref.startsWith('refs/tags/') ? 'tag_push' : 'push',
  event_name: 'push',
  before,
  after: commit,
  ref,
  checkout_sha: commit,
  project_id: 7,
  project: { id: 7, path_with_namespace: 'demo/hello', default_branch: 'main' },
  commits: spelt(changes, message),
  total_commits_count: total ?? changes.length,
})

export const mergeRequest = (action = 'open', { fork = false, oldrev = '', message = 'A greeting' } = {}) => ({
  object_kind: 'merge_request',
  event_type: 'merge_request',
  project: { id: 7, path_with_namespace: 'demo/hello' },
  object_attributes: {
    iid: 12,
    action,
    ...(oldrev === '' ? {} : { oldrev }),
    state: 'opened',
    source_branch: 'feature/greeting',
    target_branch: 'main',
    source_project_id: fork ? 8 : 7,
    target_project_id: 7,
    last_commit: { id: commit, message },
  },
})
