import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const lab = process.env['GANTRY_LAB'] ?? join(import.meta.dirname, '../../../../shared')

/** A real server of the lab, started if necessary: the KEY=value lines that it prints; undefined without a lab. */
export function labService(name: string): Record<string, string> | undefined {
  const script = join(lab, 'services', name)
  if (!existsSync(script)) return undefined
  const lines = execFileSync(script, ['up'], { encoding: 'utf8' }).split('\n')
  return Object.fromEntries(lines.flatMap((line) => (/^\w+=/.test(line) ? [line.split(/=(.*)/s).slice(0, 2)] : [])))
}
