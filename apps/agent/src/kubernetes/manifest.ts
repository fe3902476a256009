import { gzipSync } from 'node:zlib'
import { managedByAgent } from '@gantry/agent-protocol/cluster-role'
import type { Work } from '../protocol.ts'
import { controlDir, runner, shownInside } from './runner-script.ts'

/** How jobs run in a namespace; from the agent's environment. */
export interface JobSettings {
  namespace: string
  /** Identifies this agent's Jobs: the value of a label, which stays the same when the agent restarts. */
  owner: string
  serverUrl: string
  /** Has node, a shell, tar, mkfifo and git: runs the job, and the product's own commands in its workspace. */
  image: string
  /** Thousandths of a CPU, and bytes, for a job's steps. */
  cpu: number
  memory: number
  /** Bytes for each service. */
  serviceMemory: number
  /** Bytes for a job's files. */
  disk: number
  /** The user of all of a job's containers except its services; undefined: root, as in containers on a machine. */
  user: number | undefined
  /** A certificate authority for the server and the registries, in PEM. */
  ca: string | undefined
}

/** A job without its secrets: enough to continue one that an earlier agent process has created. */
export type KnownJob = Pick<Work, 'jobId' | 'attempt' | 'firstStep' | 'timeoutSeconds' | 'image' | 'services'>

export const labels = {
  owner: 'gantry.dev/build-agent',
  job: 'gantry.dev/build-job',
} as const
export const heldAnnotation = 'gantry.dev/build-job-held'

/** The names of a job's containers besides its services. */
export const containers = { job: 'job', steps: 'steps', tools: 'tools' } as const
export const serviceContainer = (at: number): string => `service-${at}`

/** The service of a container's name, if it is one. */
export const serviceOf = ({ services }: Pick<Work, 'services'>, name: string): Work['services'][number] | undefined =>
  services[Number(/^service-(\d+)$/.exec(name)?.[1] ?? NaN)]

export const jobName = (
  { owner }: Pick<JobSettings, 'owner'>,
  { jobId, attempt }: Pick<KnownJob, 'jobId' | 'attempt'>,
) => `gantry-${owner}-${jobId}-${attempt}`

/** Folders in the job's own container: its files, and its input. No step sees them. */
export const roomDir = '/gantry-room'
export const controlRoot = '/gantry-control'
export const givenDir = '/gantry-job'

/** Seconds after a job's own time limit, at which it ends by itself, until the cluster ends it. */
const deadlineSlack = 300
const keptSeconds = 600

const mi = 1024 ** 2
const size = (bytes: number): string => `${Math.ceil(bytes / mi)}Mi`

/** For the two containers of the product itself. */
const ownRequests = { cpu: '100m', memory: '128Mi' }
const ownLimits = { cpu: '1', memory: '512Mi' }

/** Downloads the agent's program from the server and starts it, so that images need not contain a version of it. */
const boot = `
const { writeFileSync } = await import('node:fs')
const answer = await fetch(process.env.GANTRY_SERVER_URL + '/api/agent/gantry-agent.mjs')
if (!answer.ok) throw new Error('the server answers ' + answer.status)
writeFileSync('${roomDir}/agent.mjs', await answer.text())
await import('${roomDir}/agent.mjs')`

type Mount = { name: string; mountPath: string; subPath?: string; readOnly?: boolean }

const stepMounts = (control: string): Mount[] => [
  { name: 'files', mountPath: `${shownInside}/work`, subPath: 'work' },
  { name: 'files', mountPath: `${shownInside}/home`, subPath: 'home' },
  { name: 'files', mountPath: '/tmp', subPath: 'tmp' },
  { name: 'files', mountPath: `${shownInside}/steps`, subPath: 'steps', readOnly: true },
  // contains only pipes, which a step may use but not replace
  { name: 'control', mountPath: controlDir, subPath: control, readOnly: true },
]

/** The pod of a job: services, two containers for commands, and one that runs the job and so ends the pod. */
export function podOf(settings: JobSettings, job: KnownJob) {
  const { user, image, cpu, memory, serviceMemory, disk } = settings
  const name = jobName(settings, job)
  const confined = {
    allowPrivilegeEscalation: false,
    ...(user === undefined ? { runAsUser: 0 } : { runAsUser: user, runAsNonRoot: true }),
    ...(user !== undefined && { capabilities: { drop: ['ALL'] } }),
  }
  // root must be able to access files of any user that a step created
  const needed = user === undefined ? { add: ['DAC_OVERRIDE', 'FOWNER', 'KILL'] } : {}
  const ours = { ...confined, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'], ...needed } }
  const beside = { restartPolicy: 'Always' }
  const service = ({ image, environment }: Work['services'][number], at: number) => ({
    ...beside,
    name: serviceContainer(at),
    image,
    env: environment.map((one, row) => ({
      name: one.name,
      valueFrom: { secretKeyRef: { name, key: `service-${at}-${row}` } },
    })),
    resources: sized('250m', '500m', size(serviceMemory)),
    securityContext: { allowPrivilegeEscalation: false },
  })
  const commands = (name: string, image: string) => ({
    ...beside,
    name,
    image,
    command: ['sh', '-c', runner],
    workingDir: `${shownInside}/work`,
    volumeMounts: stepMounts(name),
  })
  const ca = settings.ca === undefined ? [] : [{ name: 'NODE_EXTRA_CA_CERTS', value: `${givenDir}/ca.crt` }]
  return {
    metadata: {
      labels: {
        ...managedByAgent,
        [labels.owner]: settings.owner,
        [labels.job]: String(job.jobId),
      },
    },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      securityContext: {
        seccompProfile: { type: 'RuntimeDefault' },
        ...(user !== undefined && { fsGroup: user, fsGroupChangePolicy: 'OnRootMismatch' }),
      },
      // a service is reached by its name from all containers of a job
      ...(job.services.length > 0 && {
        hostAliases: [{ ip: '127.0.0.1', hostnames: job.services.map(({ name }) => name) }],
      }),
      initContainers: [
        ...job.services.map(service),
        {
          ...commands(containers.tools, image),
          resources: { requests: ownRequests, limits: ownLimits },
          securityContext: ours,
        },
        {
          ...commands(containers.steps, job.image ?? ''),
          resources: sized(`${cpu}m`, `${cpu}m`, size(memory)),
          securityContext: confined,
        },
      ],
      containers: [
        {
          name: containers.job,
          image,
          command: ['node', '--input-type=module', '-e', boot],
          env: [
            { name: 'GANTRY_SERVER_URL', value: settings.serverUrl },
            { name: 'GANTRY_AGENT_JOB', value: givenDir },
            { name: 'GANTRY_AGENT_BUILD_DISK_MB', value: String(Math.ceil(disk / mi)) },
            { name: 'GANTRY_AGENT_BUILD_MEMORY_MB', value: String(Math.ceil(memory / mi)) },
            ...ca,
          ],
          resources: { requests: ownRequests, limits: ownLimits },
          securityContext: ours,
          volumeMounts: [
            { name: 'room', mountPath: roomDir },
            { name: 'files', mountPath: `${roomDir}/fs` },
            { name: 'control', mountPath: controlRoot },
            { name: 'given', mountPath: givenDir, readOnly: true },
          ],
        },
      ],
      volumes: [
        // larger than the job's own limit, which ends the job before the cluster does
        { name: 'files', emptyDir: { sizeLimit: size(disk * 1.25) } },
        { name: 'room', emptyDir: { sizeLimit: size(disk) } },
        { name: 'control', emptyDir: { sizeLimit: '1Mi' } },
        { name: 'given', secret: { secretName: name, defaultMode: 0o440 } },
      ],
    },
  }
}

const sized = (cpu: string, mostCpu: string, memory: string) => ({
  requests: { cpu, memory },
  limits: { cpu: mostCpu, memory },
})

/**
 * The Kubernetes Job of a job. It is created suspended, so that its Secret can belong to it from the beginning.
 * Whatever happens to the agent, the cluster ends and removes it.
 */
export function jobOf(settings: JobSettings, job: KnownJob) {
  const template = podOf(settings, job)
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(settings, job),
      labels: template.metadata.labels,
      annotations: { [heldAnnotation]: JSON.stringify(withoutEnvironment(job)) },
    },
    spec: {
      suspend: true,
      backoffLimit: 0,
      activeDeadlineSeconds: job.timeoutSeconds + deadlineSlack,
      ttlSecondsAfterFinished: keptSeconds,
      template,
    },
  }
}

function withoutEnvironment({ jobId, attempt, firstStep, timeoutSeconds, image, services }: KnownJob): KnownJob {
  return {
    jobId,
    attempt,
    firstStep,
    timeoutSeconds,
    image,
    services: services.map((one) => ({ ...one, environment: [] })),
  }
}

/** The input of a pod. */
export interface PodInput {
  work: Work
  /** Lines that were already written to the log of its first step. */
  told: string[]
}

/** All secrets of a job; the Secret belongs to the Job, and is deleted with it. */
export function secretOf(
  settings: JobSettings,
  given: PodInput,
  { uid, credential }: { uid: string; credential: string },
) {
  const name = jobName(settings, given.work)
  const text = (value: string): string => Buffer.from(value, 'utf8').toString('base64')
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      labels: { ...managedByAgent, [labels.owner]: settings.owner },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid }],
    },
    type: 'Opaque',
    immutable: true,
    data: {
      work: gzipSync(JSON.stringify(given)).toString('base64'),
      credential: text(credential),
      ...(settings.ca !== undefined && { 'ca.crt': text(settings.ca) }),
      ...Object.fromEntries(
        given.work.services.flatMap(({ environment }, at) =>
          environment.map(({ value }, row) => [`service-${at}-${row}`, text(value)]),
        ),
      ),
    },
  }
}
