import { cpuCores, memoryBytes } from '@gantry/contract/stacks/amounts'
import { Resources } from '@gantry/contract/stacks/spec-container'
import type { Vars } from '@gantry/tosca/problems'

/** Bytes without a unit, as both formats allow, and Compose's units, as a document writes memory. */
export function memoryText(text: string): string {
  const [, figure, unit = ''] = /^(\d+(?:\.\d+)?)\s*([bkmg]b?|)$/i.exec(text) ?? []
  if (figure === undefined) return text
  const power = ['b', 'k', 'm', 'g'].indexOf(unit.toLowerCase().charAt(0))
  // Kubernetes' own k, M and G are of a thousand, and read as they stand
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
 * Requests and limits as a document has them, which always has both. A limit that is not said is the usual one, or what is
 * requested; told by `added`. A request that is not said is the limit, as Kubernetes has it, or where neither is, the usual one.
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
