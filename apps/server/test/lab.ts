import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const lab = process.env['GANTRY_LAB'] ?? join(import.meta.dirname, '../../../../shared')

/**
 * A real server of the lab, started if need be: the KEY=value lines that it prints. Undefined without a lab, so that a
 * suite can skip and say why.
 */
export function labService(name: string): Record<string, string> | undefined {
  const script = join(lab, 'services', name)
  if (!existsSync(script)) return undefined
  const lines = execFileSync(script, ['up'], { encoding: 'utf8' }).split('\n')
  const pairs = lines.filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(pairs.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
