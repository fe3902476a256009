import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The lab's folder, which may not exist. */
export const lab = process.env['GANTRY_LAB'] ?? join(import.meta.dirname, '../../../../shared')

/**
 * Starts a real server of the lab if needed; returns the KEY=value lines that it prints. Undefined without a lab, so
 * that a suite can skip and say why. `env` starts another copy, which a test may also stop by `down`.
 */
export function labService(
  name: string,
  env: Record<string, string> = {},
  word: 'up' | 'down' = 'up',
): Record<string, string> | undefined {
  const script = join(lab, 'services', name)
  if (!existsSync(script)) return undefined
  const lines = execFileSync(script, [word], { encoding: 'utf8', env: { ...process.env, ...env } }).split('\n')
  const pairs = lines.filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(pairs.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

const kube = join(lab, 'kube', 'kube')
/** Parts that \`kube status\` also lists, but that only the tests which need them start. */
const optionalParts = new Set(['kwok', 'traefik', 'local-path-provisioner', 'policies'])

/** Starts the lab's real cluster if needed; returns its kubeconfig and the folder of its tools. */
export function labCluster(): { kubeconfig: string; bin: string } | undefined {
  if (!existsSync(kube)) return undefined
  const ask = (word: string) => execFileSync(kube, [word], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  // `up` is slow even if the cluster runs already
  const down = [...ask('status').matchAll(/^(\S+) down$/gm)].some(([, part]) => !optionalParts.has(part ?? ''))
  const told = ask(down ? 'up' : 'env')
  const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(told)?.[1] ?? ''
  return { kubeconfig: value('KUBECONFIG'), bin: value('KUBE_BIN') }
}

/**
 * Starts the lab's gateway controller if needed. Its objects in the cluster do not show whether it runs, because they
 * outlive it.
 */
export const startGateway = (): void => {
  execFileSync(kube, ['gateway'], { stdio: 'ignore' })
}

/** Creates fake hosts `hollow-0` … beside the real one, whose pods only report that they run; 0 deletes them. */
export const hollowHosts = (count: number): void => {
  execFileSync(kube, ['hollow', String(count)], { stdio: 'ignore' })
}

const ctr = (kubeconfig: string, ...args: string[]): string =>
  execFileSync(
    'ctr',
    [`--address=${join(dirname(kubeconfig), 'run/containerd.sock')}`, '--namespace=k8s.io', ...args],
    { encoding: 'utf8' },
  )

const images = (kubeconfig: string) =>
  ctr(kubeconfig, 'images', 'ls')
    .split('\n')
    .map((line) => line.split(/\s+/))

/** Deletes a repository's images from the cluster's host, which lists only a limited number (contract/nodes.ts). */
export function removeImages(kubeconfig: string, repository: string): void {
  const there = images(kubeconfig)
  const ours = new Set(there.filter(([name]) => name?.includes(`/${repository}@`)).map(([, , digest]) => digest))
  const names = there.flatMap(([name, , digest]) => (name && ours.has(digest) ? [name] : []))
  if (names.length > 0) ctr(kubeconfig, 'images', 'rm', ...names)
}

/** Gives the cluster's host a name by digest for an image that was loaded and is in no registry. */
export function nameByDigest(kubeconfig: string, image: string): void {
  const there = images(kubeconfig)
  const digest = there.find(([name]) => name === image)?.[2]
  if (digest === undefined) throw new Error(`the cluster's host has no ${image}`)
  const name = `${image.replace(/:[^:/]*$/, '')}@${digest}`
  if (there.some(([known]) => known === name)) return
  try {
    ctr(kubeconfig, 'images', 'tag', image, name)
  } catch (error) {
    // another suite has named it meanwhile, which is no failure
    if (!images(kubeconfig).some(([known]) => known === name)) throw error
  }
}
