import { cpuCores, memoryBytes } from '@gantry/contract/stacks/amounts'
import { Resources } from '@gantry/contract/stacks/spec-container'
import type { Vars } from '@gantry/tosca/problems'

/** Memory as a document writes it, from bytes without a unit, which both formats allow, or from Compose's units. */
export function memoryText(text: string): string {
  const [, figure, unit = ''] = /^(\d+(?:\.\d+)?)\s*([bkmg]b?|)$/i.exec(text) ?? []
  if (figure === undefined) return text
  const power = ['b', 'k', 'm', 'g'].indexOf(unit.toLowerCase().charAt(0))
  // k, M and G of Kubernetes are decimal and stay as they are
  if (power > 0 && !/^[kMG]$/.test(unit)) return `${figure}${['', 'Ki', 'Mi', 'Gi'][power]}`
  if (power > 0) return text
  const kib = Math.ceil(Number(figure) / 1024)
  return kib % 1024 === 0 ? `${kib / 1024}Mi` : `${kib}Ki`
}

export interface Asked {
  limits: { cpu?: string | undefined; memory?: string | undefined }
  requests: { cpu?: string | undefined; memory?: string | undefined }
}

const usual = Resources.parse({})
const most = <T>(one: T, other: T, size: (value: T) => number): T => (size(one) >= size(other) ? one : other)
const least = <T>(one: T, other: T, size: (value: T) => number): T => (size(one) <= size(other) ? one : other)

/**
 * Requests and limits; a document has both. A missing limit becomes the usual one, or the request if that is higher;
 * `added` reports it. A missing request becomes the limit, as in Kubernetes, or without a limit the usual request.
 */
export function resourcesFrom(
  { limits, requests }: Asked,
  added: (key: string, vars: Vars) => void,
): Record<string, string> {
  const cpu = limits.cpu ?? (requests.cpu === undefined ? usual.cpu : most(usual.cpu, requests.cpu, cpuCores))
  const memory =
    limits.memory ?? (requests.memory === undefined ? usual.memory : most(usual.memory, requests.memory, memoryBytes))
  if (limits.cpu === undefined) added('imports-limit-cpu', { cpu })
  if (limits.memory === undefined) added('imports-limit-memory', { memory })
  return {
    cpu,
    memory,
    cpuRequest: requests.cpu ?? limits.cpu ?? least(usual.cpuRequest, cpu, cpuCores),
    memoryRequest: requests.memory ?? limits.memory ?? least(usual.memoryRequest, memory, memoryBytes),
  }
}
