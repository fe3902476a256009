import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import type { CodeQualityStep } from '@gantry/contract/pipelines/steps/code-quality'
import type { z } from 'zod'
import type { Command } from '../executors/executor.ts'
import { quoted } from '../executors/scripts.ts'
import { openFile, readOpened } from '../files.ts'
import type { Data } from '../protocol.ts'
import { reason, StepFailure } from '../reasons.ts'
import { checkedOut } from '../workspace/workspace.ts'
import { containerOf, endedOtherwise, runCommand } from './script.ts'
import { success, type StepContext, type StepResult } from './step.ts'

type Step = z.output<typeof CodeQualityStep>
type Ctx = StepContext<Step>
type Analysis = NonNullable<Data<'codeQuality'>['analysis']>

/** The script's exit code if there is no scanner. */
export const scannerMissing = 94

/** The pause between two polls of the result, and how long the code quality server may stay silent. */
const usual = { pollMs: 2000, patienceMs: 60_000 }

/** The file in which scanners write their report of the analysis, below the step's home. */
const reportOf = (step: number): string => `.gantry-analysis-${step}`

/**
 * Analyses the workspace with the agent's scanner or the user's own command, which runs like a script. The server
 * issues the token, polls the result and decides; from the command only the id of the analysis is used.
 */
export async function runCodeQuality(ctx: Ctx, times = usual): Promise<StepResult> {
  const { room, index, work } = ctx
  const where = { params: { jobId: work.jobId, step: index }, query: { attempt: work.attempt } }
  // a scanner that an earlier agent process started has a token, which a new one would revoke
  const began = ctx.adopted && (await ctx.executor.adopt(room, index)) !== undefined
  if (!began) {
    const begun = await ctx.client.call('codeQuality', where, { signal: ctx.signal })
    ctx.onAnswer(begun)
    if (begun.analysis === null) return { state: 'failed', reason: begun.reason ?? reason('agents-no-analysis') }
    ctx.hide([begun.analysis.token])
    ctx.say(`Analysing as ${begun.analysis.projectKey} at ${begun.analysis.url}`)
    const failed = await scan(ctx, await commandOf(ctx, begun.analysis))
    if (failed) return failed
  } else {
    const failed = await scan(ctx, { shell: 'sh', script: '', environment: [] })
    if (failed) return failed
  }
  const task = await taskOf(ctx)
  for (let silent = 0; ;) {
    const answer = await ctx.client.call(
      'codeQualityResult',
      { ...where, query: { ...where.query, task } },
      { signal: ctx.signal },
    )
    ctx.onAnswer(answer)
    for (const line of answer.log) ctx.say(line)
    if (answer.state === 'success') return success
    silent = answer.reason === null ? 0 : silent + times.pollMs
    if (answer.state === 'failed' || silent > times.patienceMs)
      return { state: 'failed', reason: answer.reason ?? reason('agents-no-analysis') }
    await sleep(times.pollMs, undefined, { signal: ctx.signal })
  }
}

/** Undefined if the command succeeded. */
async function scan(ctx: Ctx, command: Omit<Command, 'step'>): Promise<StepResult | undefined> {
  const ended = await runCommand(ctx, command)
  if (ended.how !== 'exit') return endedOtherwise(ctx, ended)
  const { code } = ended
  if (code === 0) return undefined
  const missing = code === scannerMissing && ctx.step.run.trim() === ''
  return {
    state: 'failed',
    exitCode: code,
    reason: missing ? reason('agents-scanner-missing') : reason('agents-scanner-failed', { code }),
  }
}

async function commandOf(
  ctx: Ctx,
  { url, token, tokenProperty, projectKey }: Analysis,
): Promise<Omit<Command, 'step'>> {
  const { step, work, index } = ctx
  const source = await checkedOut(ctx.room)
  const { proxy } = await ctx.executor.route(new URL(url))
  return {
    shell: 'sh',
    ...containerOf(work),
    script: analysisScript(step, index, {
      'sonar.host.url': url,
      'sonar.projectKey': projectKey,
      [tokenProperty]: token,
      'sonar.qualitygate.wait': 'false',
      ...(source === undefined ? {} : { 'sonar.scm.revision': source.commit }),
    }),
    environment: [
      ...work.environment.filter(({ steps }) => steps?.includes(step.name) ?? true),
      ...(source === undefined ? [] : [{ name: 'GANTRY_COMMIT', value: source.commit }]),
      { name: 'SONAR_HOST_URL', value: url },
      { name: 'SONAR_PROJECT_KEY', value: projectKey },
      ...(proxy === undefined ? [] : [{ name: 'JAVA_TOOL_OPTIONS', value: proxyOptions(new URL(proxy)) }]),
    ],
  }
}

/** Scanners run on Java, which reads a proxy only from these options, and skips it for local hosts by default. */
const proxyOptions = ({ hostname, port }: URL): string =>
  [
    ...['http', 'https'].flatMap((kind) => [`${kind}.proxyHost=${hostname}`, `${kind}.proxyPort=${port}`]),
    'http.nonProxyHosts=',
  ]
    .map((option) => `-D${option}`)
    .join(' ')

/**
 * Every scanner of SonarQube reads its properties from this variable, and a project's own files cannot change them. The
 * additions are on the command's first line, so that its lines keep their numbers.
 */
function analysisScript(step: Step, index: number, properties: Record<string, string>): string {
  const [before = '', after = ''] = JSON.stringify({ ...properties, 'sonar.scanner.metadataFilePath': '@' }).split('@"')
  const value = `${quoted(before)}"$HOME/${reportOf(index)}"${quoted(`"${after}`)}`
  const first = `rm -f "$HOME/${reportOf(index)}"; export SONARQUBE_SCANNER_PARAMS=${value} SONAR_SCANNER_JSON_PARAMS=${value}; `
  if (step.run.trim() !== '') return first + step.run
  const folder = quoted(`-Dsonar.projectBaseDir=${step.folder}`)
  return `${first}command -v sonar-scanner > /dev/null || exit ${scannerMissing}; sonar-scanner ${folder}\n`
}

/** The id that the code quality server gave to the analysis; the scanner has written it to its report. */
async function taskOf({ room, index }: Ctx): Promise<string> {
  const file = await openFile(join(room.dir, 'fs/home'), reportOf(index)).catch(() => {
    throw new StepFailure('agents-no-analysis')
  })
  const parts: Buffer[] = []
  for await (const part of readOpened(file, 64 * 1024)) parts.push(part)
  const [, task] = /^ceTaskId=([A-Za-z0-9_-]{1,100})\s*$/m.exec(Buffer.concat(parts).toString('utf8')) ?? []
  if (task === undefined) throw new StepFailure('agents-no-analysis')
  return task
}
