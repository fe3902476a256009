import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Piped } from '../executors/piped.ts'
import { bytes, transport } from '../http.ts'
import type { Pod } from './causes.ts'
import { exec } from './exec.ts'
import { labels } from './manifest.ts'

/** A refusal by the API server; an immediate retry would not help. */
export class ApiRefusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface ApiOptions {
  /** The URL of the API server. */
  server: string
  /** The folder in which Kubernetes keeps the token and the authority of the pod's service account. */
  account: string
  namespace: string
}

export interface Job {
  metadata: { name: string; uid: string; annotations?: Record<string, string> }
  spec?: { suspend?: boolean }
}

export interface Api {
  /** Whether a pod would be admitted now: by quotas and policies, not by free hosts. Throws if not. */
  tryPod: (pod: object) => Promise<void>
  createJob: (job: object) => Promise<Job>
  createSecret: (secret: object) => Promise<void>
  startJob: (name: string) => Promise<void>
  /** Deletes a Job with its pods and its Secret. A Job that is already gone is not an error. */
  deleteJob: (name: string) => Promise<void>
  deleteSecret: (name: string) => Promise<void>
  jobs: (owner: string) => Promise<Job[]>
  pods: (owner: string) => Promise<Pod[]>
  /** Runs a command with a terminal in a container of a pod. */
  exec: (pod: string, container: string, command: string[]) => Promise<Piped>
}

const answerMs = 15_000
const longest = 64 * 1024 * 1024

/** Only calls that the agent's Role permits. */
export function openApi({ server, account, namespace }: ApiOptions): Api {
  const ca = readFileSync(join(account, 'ca.crt'), 'utf8')
  const http = transport({ ca })
  // read again, because Kubernetes replaces the file about every hour
  const token = (): string => readFileSync(join(account, 'token'), 'utf8').trim()

  async function ask(method: string, path: string, body?: object, type = 'application/json'): Promise<unknown> {
    const answer = await http.ask({
      method,
      url: `${server}${path}`,
      headers: { authorization: `Bearer ${token()}`, accept: 'application/json', 'content-type': type },
      ...(body && { body: JSON.stringify(body) }),
      idleMs: answerMs,
    })
    const text = (await bytes(answer.body, longest)).toString('utf8')
    if (answer.status < 300) return JSON.parse(text)
    throw refusalOf(answer.status, text)
  }
  const core = `/api/v1/namespaces/${namespace}`
  const batch = `/apis/batch/v1/namespaces/${namespace}/jobs`
  const owned = (owner: string): string => `?labelSelector=${encodeURIComponent(`${labels.owner}=${owner}`)}`
  const list = async <T>(path: string): Promise<T[]> => ((await ask('GET', path)) as { items: T[] }).items
  const gone = (cause: unknown): void => {
    if (!(cause instanceof ApiRefusal) || cause.status !== 404) throw cause
  }

  return {
    async tryPod(pod) {
      await ask('POST', `${core}/pods?dryRun=All`, { apiVersion: 'v1', kind: 'Pod', ...pod })
    },
    createJob: async (job) => (await ask('POST', batch, job)) as Job,
    async createSecret(secret) {
      await ask('POST', `${core}/secrets`, secret)
    },
    async startJob(name) {
      await ask('PATCH', `${batch}/${name}`, { spec: { suspend: false } }, 'application/merge-patch+json')
    },
    async deleteJob(name) {
      const how = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' }
      await ask('DELETE', `${batch}/${name}`, how).catch(gone)
    },
    async deleteSecret(name) {
      await ask('DELETE', `${core}/secrets/${name}`).catch(gone)
    },
    jobs: (owner) => list<Job>(`${batch}${owned(owner)}`),
    pods: (owner) => list<Pod>(`${core}/pods${owned(owner)}`),
    async exec(pod, container, command) {
      const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', tty: 'true' })
      for (const word of command) query.append('command', word)
      const opened = await exec(`${server}${core}/pods/${pod}/exec?${query.toString()}`, token(), ca)
      if ('input' in opened) return opened
      throw refusalOf(opened.status, opened.text)
    },
  }
}

const refusalOf = (status: number, text: string): ApiRefusal =>
  new ApiRefusal(status, messageOf(text) ?? `the API server answers ${status}`)

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
