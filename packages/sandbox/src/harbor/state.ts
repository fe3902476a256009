import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { listRepositories, type Storage } from '../registry/storage.ts'

export interface Project {
  id: number
  name: string
  public: boolean
  created: string
  updated: string
}

export interface Permission {
  kind: string
  namespace: string
  access: { resource: string; action: string }[]
}

export interface Robot {
  id: number
  name: string
  description: string
  /** SHA-256 in hexadecimal digits. */
  secret: string
  level: string
  duration: number
  disable: boolean
  permissions: Permission[]
  created: string
  updated: string
}

export interface Target {
  id: number
  name: string
  url: string
  type: string
  insecure: boolean
  /** The account's secret is not stored, because nothing is copied out of the sandbox. */
  account: string
  created: string
}

export interface Policy {
  id: number
  name: string
  targetId: number
  namespace: string
  filters: { type: string; value: string }[]
  created: string
}

export interface Execution {
  id: number
  policyId: number
  status: 'InProgress' | 'Succeed' | 'Failed' | 'Stopped'
  problem: string
  total: number
  succeeded: number
  failed: number
  started: string
  ended: string | undefined
}

interface Document {
  next: number
  projects: Project[]
  robots: Robot[]
  targets: Target[]
  policies: Policy[]
  executions: Execution[]
}

const empty = (): Document => ({ next: 1, projects: [], robots: [], targets: [], policies: [], executions: [] })

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
/** A rule of every project: tags with this prefix cannot be deleted. */
export const immutableTags = 'release-'
export const robotPrefix = 'robot$'

/** A Harbor's state, except the images, in one file; repositories and tags are stored in the registry. */
export interface State extends Document {
  /** When scans of images began, by digest; in memory only. */
  scans: Map<string, number>
  id(): number
  save(): void
}

export function openState(path: string): State {
  const document: Document = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Document) : empty()
  // A running copy ends with the process.
  for (const execution of document.executions)
    if (execution.status === 'InProgress') Object.assign(execution, { status: 'Failed', problem: 'interrupted' })
  const state: State = {
    ...document,
    scans: new Map(),
    id: () => state.next++,
    save() {
      const { next, projects, robots, targets, policies, executions } = state
      const text = JSON.stringify({ next, projects, robots, targets, policies, executions: executions.slice(-200) })
      writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true })
      renameSync(`${path}.new`, path)
    },
  }
  return state
}

/** Project and path of a repository; undefined if it is not in a project. */
export function placeOf(name: string): { project: string; repository: string } | undefined {
  const slash = name.indexOf('/')
  return slash < 1 ? undefined : { project: name.slice(0, slash), repository: name.slice(slash + 1) }
}

/** All projects: created ones, and those that a push created. */
export function projectsOf(state: State, storage: Storage): Project[] {
  const known = new Set(state.projects.map(({ name }) => name))
  const pushed = new Set(listRepositories(storage).flatMap((name) => placeOf(name)?.project ?? []))
  const missing = [...pushed].filter((name) => !known.has(name))
  for (const name of missing) addProject(state, name, false)
  if (missing.length > 0) state.save()
  return state.projects
}

export function addProject(state: State, name: string, isPublic: boolean): Project {
  const now = new Date().toISOString()
  const project = { id: state.id(), name, public: isPublic, created: now, updated: now }
  state.projects.push(project)
  return project
}

export function newSecret(robot: Robot, given: string): string {
  const secret = given === '' ? randomBytes(24).toString('base64url') : given
  robot.secret = sha256(secret)
  return secret
}

/** The robot with this name and secret. */
export const robotOf = (state: State, username: string, secret: string): Robot | undefined =>
  state.robots.find(
    (robot) =>
      !robot.disable &&
      `${robotPrefix}${robot.name}` === username &&
      timingSafeEqual(Buffer.from(robot.secret), Buffer.from(sha256(secret))),
  )
