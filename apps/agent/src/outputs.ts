import { openFile, readOpened } from './files.ts'
import type { Journal } from './journal.ts'
import { masked } from './mask.ts'
import { outputLimits, type Work } from './protocol.ts'
import { StepFailure } from './reasons.ts'
import { homeOf, type Workspace } from './workspace/workspace.ts'

/** The file to which a step writes its outputs, one `KEY=value` per line; an environment variable names it. */
export const outputFile = (step: number): string => `.gantry-output-${step}`

/** The outputs that a step wrote for later steps, with secrets masked; empty if it wrote no file. */
export async function readOutputs(
  room: Workspace,
  step: number,
  secrets: readonly string[],
): Promise<[string, string][]> {
  const file = await openFile(homeOf(room), outputFile(step)).catch(() => undefined)
  if (file === undefined) return []
  const { size } = await file.stat()
  const parts: Buffer[] = []
  for await (const part of readOpened(file, Math.min(size, outputLimits.file + 1))) parts.push(part)
  if (size > outputLimits.file) throw new StepFailure('agents-outputs-too-large', { limit: outputLimits.file })
  const lines = Buffer.concat(parts)
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const values = new Map(lines.map((line) => pairOf(line, secrets)))
  if (values.size > outputLimits.values)
    throw new StepFailure('agents-outputs-too-large', { limit: outputLimits.values })
  return [...values]
}

function pairOf(line: string, secrets: readonly string[]): [string, string] {
  const [, name, value = ''] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(line) ?? []
  const maskedLine = masked(line, secrets).slice(0, 100)
  if (name === undefined || value.length > outputLimits.value)
    throw new StepFailure('agents-output-invalid', { line: maskedLine })
  return [name, masked(value, secrets).slice(0, outputLimits.value)]
}

/** The outputs that a step sees, by `step.KEY`: those of earlier jobs, and those of its own job so far. */
export function outputsOf(
  { outputs, firstStep, stages }: Work,
  { events }: Pick<Journal, 'events'>,
): Map<string, string> {
  const names = stages.flatMap(({ steps }) => steps.map(({ name }) => name))
  const known = new Map(Object.entries(outputs))
  for (const event of events)
    if (event.type === 'output')
      for (const [name, value] of Object.entries(event.values))
        known.set(`${names[event.step - firstStep]}.${name}`, value)
  return known
}

/** Replaces `${outputs.step.KEY}` in a text of the definition; an output that does not exist is empty. */
export const filled = (text: string, outputs: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\$\{outputs\.([^{}]+)\}/g, (_, name: string) => outputs.get(name) ?? '')

export const environmentOf = (outputs: ReadonlyMap<string, string>): { name: string; value: string }[] =>
  [...outputs].map(([name, value]) => ({
    name: `GANTRY_OUTPUT_${name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_')}`,
    value,
  }))

/** Whether a step runs, given the results and outputs so far. */
export function shouldRun(work: Work, at: number, failed: boolean, outputs: ReadonlyMap<string, string>): boolean {
  const condition = work.conditions[at]
  if (condition === null) return false
  const step = work.stages.flatMap(({ steps }) => steps)[at]
  const { result, outputs: wanted } = condition ?? { result: step?.always === true ? 'always' : 'success', outputs: [] }
  if (result !== 'always' && (result === 'failed') !== failed) return false
  return wanted.every((one) => one.in.includes(outputs.get(one.name) ?? ''))
}
