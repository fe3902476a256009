import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../client.ts'
import { type Log, messageOf } from '../log.ts'
import type { Reason, Work } from '../protocol.ts'
import { reason } from '../reasons.ts'
import type { Build, Host, LeftJob, Space } from '../runner.ts'
import { Stop } from '../stop.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Api, ApiRefusal, type Job } from './api.ts'
import { type Pod, quotaText, phaseOf } from './causes.ts'
import { type KnownJob, heldAnnotation, jobName, jobOf, type JobSettings, podOf, secretOf } from './manifest.ts'

export interface JobOptions {
  settings: JobSettings
  api: Api
  client: Client
  /** The agent's credential, with which a job reports. */
  credential: () => string
  log: Log
}

export interface Jobs {
  host: Host
  space: Space
  /** Jobs of an earlier agent process that continue. Removes those that cannot. */
  left: () => Promise<LeftJob[]>
  /** The pod of a job; undefined: it has none, or none any more. */
  podOf: (job: Pick<KnownJob, 'jobId' | 'attempt'>) => Promise<Pod | undefined>
}

/** Ms between two reads of the pods, and between two checks for space: without any, and with some. */
const looks = { podsMs: 400, roomMs: 2000, idleMs: 15_000 }
/** Ms until a missing pod counts as refused, and until the log says why a pod waits. */
const pod = { lateMs: 3000, waitsMs: 5000 }
/** A job that was stopped ends by itself within this time, or is ended. */
const patienceMs = 30_000
/** A pod's containers may run for this long before Kubernetes reports it. */
const saidLateMs = 3000
const removalMs = 60_000

interface PendingLines {
  lines: string[]
  bytes: number
}

/** How a job ended: with an end that this agent reports, one that the job has reported itself, or unreported. */
type Over = { state: 'failed' | 'aborted'; reason: Reason } | 'reported' | 'dropped'

/**
 * Creates a Kubernetes Job for each job, in one namespace, as many as its quotas admit: another job is requested only
 * when a pod of the smallest size would be admitted. The pods report their jobs themselves. This agent creates and
 * removes them, and reports what a pod cannot: that it never started, or is gone.
 */
export function openJobs({ settings, api, client, credential, log }: JobOptions): Jobs {
  let changed = (): void => {}
  let admitted = false
  let waits = ''
  /** The number of jobs whose pods no quota counts yet. */
  let starting = 0
  let wakeLook = (): void => {}

  const least: KnownJob = {
    jobId: 0,
    attempt: 0,
    firstStep: 0,
    timeoutSeconds: 60,
    image: settings.image,
    services: [],
  }
  const tried = (job: KnownJob): object => {
    const { metadata, spec } = podOf(settings, job)
    return { metadata: { ...metadata, generateName: `${jobName(settings, job)}-` }, spec }
  }

  async function lookForRoom(): Promise<void> {
    const before = `${admitted} ${waits}`
    try {
      await api.tryPod(tried(least))
      admitted = true
      waits = ''
    } catch (cause) {
      admitted = false
      waits = quotaText(messageOf(cause)) ?? messageOf(cause)
    }
    if (`${admitted} ${waits}` !== before && waits !== '')
      log('info', 'there is no room for another job', { why: waits })
    changed()
  }

  async function keepLooking(): Promise<never> {
    for (;;) {
      if (starting === 0) await lookForRoom()
      const woken = new AbortController()
      wakeLook = () => woken.abort()
      await sleep(admitted ? looks.idleMs : looks.roomMs, undefined, { signal: woken.signal, ref: false }).catch(
        () => {},
      )
    }
  }

  let seen: Promise<Pod[]> | undefined
  /** All pods of this agent as of the next read; all callers share one read. */
  function nextPods(): Promise<Pod[]> {
    seen ??= sleep(looks.podsMs)
      .then(() => {
        seen = undefined
        return api.pods(settings.owner)
      })
      .catch(async (cause: unknown) => {
        log('warn', 'the API server does not tell of pods', { error: messageOf(cause) })
        await sleep(looks.roomMs)
        return nextPods()
      })
    return seen
  }
  const podOfJob = (pods: Pod[], job: Pick<KnownJob, 'jobId' | 'attempt'>): Pod | undefined =>
    pods.find(({ metadata }) => metadata.name.startsWith(`${jobName(settings, job)}-`))

  /** Adds a line to the log of the job's first step; the pod writes it again at the same place. */
  async function tell(job: KnownJob, pending: PendingLines, line: string): Promise<void> {
    if (pending.lines.at(-1) === line) return
    const content = Buffer.from(`${line}\n`)
    await client.call(
      'log',
      { params: { jobId: job.jobId, step: job.firstStep }, query: { attempt: job.attempt, offset: pending.bytes } },
      { upload: { content }, retry: false },
    )
    pending.lines.push(line)
    pending.bytes += content.length
  }

  async function make(work: Work, pending: PendingLines): Promise<void> {
    const job = await api.createJob(jobOf(settings, work)).catch(async (cause: unknown) => {
      // left by an earlier process of this agent that was killed before it started the Job
      if (cause instanceof ApiRefusal && cause.status === 409) await api.deleteJob(jobName(settings, work))
      throw cause
    })
    const { uid } = job.metadata
    await api.createSecret(secretOf(settings, { work, told: pending.lines }, { uid, credential: credential() }))
    await api.startJob(job.metadata.name)
  }

  interface Running {
    job: KnownJob
    room: Workspace
    /** Needed to create the Job; undefined: an earlier agent process has created it. */
    work?: Work
  }

  function begin({ job, room, work }: Running): Build {
    const stopping = new AbortController()
    const dropping = new AbortController()
    const stop = (why: Stop['why']): void => {
      if (!stopping.signal.aborted) stopping.abort(new Stop(why))
      if (why === 'drop') dropping.abort(new Stop('drop'))
    }
    let counted = false
    starting++
    const count = (): void => {
      if (counted) return
      counted = true
      starting--
      wakeLook()
    }
    const id = { jobId: job.jobId, attempt: job.attempt }
    const done = runJob({ job, work, stopping: stopping.signal, dropping: dropping.signal, count })
      .catch((cause: unknown): Over => {
        log('error', 'a job was given up', { ...id, error: messageOf(cause) })
        return { state: 'failed', reason: reason('agents-cluster-refused', { why: messageOf(cause) }) }
      })
      .then(async (over) => {
        await remove(job)
        if (typeof over === 'object' && !dropping.signal.aborted) await report(job, over)
      })
      .catch((cause: unknown) => log('error', 'the end of a job was not reported', { ...id, error: messageOf(cause) }))
      .finally(() => {
        count()
        wakeLook()
      })
    return { work: job, room, stop, done }
  }

  interface Run {
    job: KnownJob
    work: Work | undefined
    stopping: AbortSignal
    dropping: AbortSignal
    count: () => void
  }

  async function runJob({ job, work, stopping, dropping, count }: Run): Promise<Over> {
    const until = Date.now() + job.timeoutSeconds * 1000
    const pending: PendingLines = { lines: [], bytes: 0 }
    const endedBefore = (): Over | undefined => {
      if (dropping.aborted) return 'dropped'
      if (stopping.aborted) return { state: 'aborted', reason: reason('agents-stopped') }
      if (Date.now() < until) return undefined
      return {
        state: 'failed',
        reason: reason('agents-build-timed-out', { minutes: Math.ceil(job.timeoutSeconds / 60) }),
      }
    }
    const say = (line: string): Promise<void> =>
      tell(job, pending, line).catch((cause: unknown) => {
        log('warn', 'a line of a waiting job was not taken', { jobId: job.jobId, error: messageOf(cause) })
      })
    for (;;) {
      if (work) {
        const over = await untilMade(work)
        if (over) return over
      }
      const over = await follow()
      if (over !== 'again') return over
    }

    async function untilMade(work: Work): Promise<Over | undefined> {
      for (;;) {
        const over = endedBefore()
        if (over) return over
        try {
          await api.tryPod(tried(work))
          await make(work, pending)
          return undefined
        } catch (cause) {
          const why = quotaText(messageOf(cause))
          const refused = cause instanceof ApiRefusal && cause.status < 500 && ![401, 409, 429].includes(cause.status)
          if (refused && why === undefined)
            return { state: 'failed', reason: reason('agents-cluster-refused', { why: messageOf(cause) }) }
          if (why === undefined) log('warn', 'a Job could not be made', { jobId: job.jobId, error: messageOf(cause) })
          else await say(`Waiting for room in the namespace ${settings.namespace}: ${why}`)
          count()
          await sleep(looks.roomMs, undefined, { signal: stopping }).catch(() => {})
        }
      }
    }

    async function follow(): Promise<Over | 'again'> {
      const made = Date.now()
      let wasThere = false
      let began = false
      let stoppedAt: number | undefined
      for (;;) {
        const one = podOfJob(await nextPods(), job)
        if (dropping.aborted) return 'dropped'
        if (one) {
          wasThere = true
          count()
          const standing = phaseOf(one, job)
          if (standing.is === 'done') return 'reported'
          if (standing.is === 'broken') return { state: 'failed', reason: standing.cause }
          if (standing.is === 'running' && !began) {
            began = true
            // the pod has read the Secret, and nothing else needs it
            await api.deleteSecret(jobName(settings, job)).catch(() => {})
          }
          if (standing.is === 'waiting' && standing.why !== '' && Date.now() - made > pod.waitsMs)
            await say(`Waiting for a host: ${standing.why}`)
        } else if (wasThere || !work) return { state: 'failed', reason: reason('agents-pod-deleted', { node: '–' }) }
        else if (Date.now() - made > pod.lateMs && !(await isAdmitted(work))) {
          // another pod was faster: this one is removed while it waits
          await remove(job)
          return 'again'
        }
        // a running job watches its own time limit
        const over = began && !stopping.aborted ? undefined : endedBefore()
        if (over === undefined) continue
        stoppedAt ??= Date.now()
        const patience = began ? patienceMs : one?.spec?.nodeName === undefined ? 0 : saidLateMs
        if (Date.now() - stoppedAt >= patience) return over
      }
    }
  }

  const isAdmitted = (work: Work): Promise<boolean> =>
    api.tryPod(tried(work)).then(
      () => true,
      (cause: unknown) => quotaText(messageOf(cause)) === undefined,
    )

  /** Removes a Job, and returns once its pod is gone or after a minute. */
  async function remove(job: KnownJob): Promise<void> {
    const until = Date.now() + removalMs
    for (;;) {
      try {
        await api.deleteJob(jobName(settings, job))
        break
      } catch (cause) {
        log('warn', 'a Job could not be removed', { jobId: job.jobId, error: messageOf(cause) })
        await sleep(looks.roomMs)
      }
    }
    while (podOfJob(await nextPods(), job) && Date.now() < until);
  }

  async function report({ jobId, attempt }: KnownJob, end: Exclude<Over, string>): Promise<void> {
    const params = { jobId }
    const { next = 1 } = await client.call('events', { params, body: { attempt, first: 1, events: [] } })
    await client.call('events', {
      params,
      body: { attempt, first: next, events: [{ type: 'end', logs: [], ...end }] },
    })
  }

  return {
    host: {
      prepare: ({ jobId, attempt }, slot) => Promise.resolve({ jobId, attempt, slot, dir: '' }),
      begin: (work, room) => begin({ job: work, room, work }),
    },
    space: {
      most: () => (admitted && starting === 0 ? 1 : 0),
      waits: () => waits,
      watch(listener) {
        changed = listener
        void keepLooking()
      },
    },

    podOf: async (job) => podOfJob(await api.pods(settings.owner), job),

    async left() {
      const left: LeftJob[] = []
      for (const job of await api.jobs(settings.owner)) {
        const known = knownJobOf(job)
        if (known === undefined) await api.deleteJob(job.metadata.name)
        else {
          const room = { jobId: known.jobId, attempt: known.attempt, slot: { index: left.length }, dir: '' }
          left.push({ room, begin: () => begin({ job: known, room }) })
        }
      }
      return left
    },
  }
}

/** The job that a Job was created for. Undefined: it was never started, and its input is lost. */
function knownJobOf({ metadata, spec }: Job): KnownJob | undefined {
  if (spec?.suspend === true) return undefined
  try {
    return JSON.parse(metadata.annotations?.[heldAnnotation] ?? '') as KnownJob
  } catch {
    return undefined
  }
}
