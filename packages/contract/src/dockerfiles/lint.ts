import { fromOf, type Instruction, parseDockerfile } from './parse.ts'

export type Severity = 'error' | 'warning' | 'info'

const severities = {
  'no-from': 'error',
  'from-first': 'error',
  'from-format': 'error',
  unknown: 'error',
  empty: 'error',
  'heredoc-open': 'error',
  'stage-twice': 'error',
  'stage-unknown': 'error',
  port: 'error',
  'exec-form': 'warning',
  latest: 'warning',
  'add-url': 'warning',
  'add-local': 'info',
  'workdir-relative': 'warning',
  maintainer: 'warning',
  'only-last': 'warning',
  'user-root': 'warning',
  secret: 'warning',
  sudo: 'warning',
  'apt-asks': 'warning',
  'run-cd': 'info',
} as const satisfies Record<string, Severity>

export type LintRule = keyof typeof severities

/** A problem in a Dockerfile; its text is the phrase `dockerfiles-lint-<rule>`. */
export interface Finding {
  /** From 1. */
  line: number
  severity: Severity
  rule: LintRule
  vars: Record<string, string>
}

const knownInstructions = new Set(
  'ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR'.split(
    ' ',
  ),
)
const archive = /\.(tar|tar\.(gz|bz2|xz|zst)|tgz|tbz2|txz)$/i
const hasVariable = (text: string): boolean => text.includes('$')
const secretName = /(^|_)(PASSWORD|PASSWD|SECRET|TOKEN|APIKEY|API_KEY|PRIVATE_KEY|ACCESS_KEY)$/i

/** Problems and possible improvements of a Dockerfile, in the order of its lines. */
export function lintDockerfile(text: string): Finding[] {
  const findings: Finding[] = []
  const instructions = parseDockerfile(text)
  const tell = (at: number, rule: LintRule, vars: Record<string, string> = {}) =>
    findings.push({ line: at, severity: severities[rule], rule, vars })

  if (!instructions.some(({ name }) => name === 'FROM')) tell(1, 'no-from')
  const stages: Stage[] = []
  let outside = false
  for (const one of instructions) {
    if (!knownInstructions.has(one.name)) {
      tell(one.line, 'unknown', { instruction: one.name.slice(0, 40) })
      continue
    }
    if (one.rest === '') tell(one.line, 'empty', { instruction: one.name })
    if (one.open !== undefined) tell(one.line, 'heredoc-open', { end: one.open })
    if (one.name === 'FROM') stages.push(lintFrom(one, stages, tell))
    const stage = stages.at(-1)
    if (stage === undefined) {
      if (one.name !== 'ARG' && !outside) tell(one.line, 'from-first', { instruction: one.name })
      outside ||= one.name !== 'ARG'
      continue
    }
    if (one.rest !== '') lintInstruction(one, stage, stages, tell)
  }
  const last = stages.at(-1)?.user
  if (last !== undefined && /^(root|0)(:|$)/.test(last.rest)) tell(last.line, 'user-root')
  return findings.sort((a, b) => a.line - b.line)
}

interface Stage {
  name: string | undefined
  /** Instructions of which only the last one counts, by name, with the line of the latest. */
  single: Map<string, number>
  user: Instruction | undefined
}

type Tell = (line: number, rule: LintRule, vars?: Record<string, string>) => void

function lintFrom(one: Instruction, before: readonly Stage[], tell: Tell): Stage {
  const from = fromOf(one)
  const stage: Stage = { name: from?.as, single: new Map(), user: undefined }
  if (one.rest === '') return stage
  if (from === undefined) {
    tell(one.line, 'from-format')
    return stage
  }
  const { image, as } = from
  if (as !== undefined && before.some(({ name }) => name === as)) tell(one.line, 'stage-twice', { name: as })
  const ofStage = before.some(({ name }) => name === image.toLowerCase())
  if (image !== 'scratch' && !ofStage && !hasVariable(image) && !image.includes('@')) {
    const tag = /:([^/:]+)$/.exec(image)?.[1]
    if (tag === undefined || tag === 'latest') tell(one.line, 'latest', { image })
  }
  return stage
}

function lintInstruction(one: Instruction, stage: Stage, stages: readonly Stage[], tell: Tell): void {
  const { line, name, rest } = one
  switch (name) {
    case 'ADD':
      return lintAdd(one, tell)
    case 'COPY':
      return lintCopy(one, stages, tell)
    case 'WORKDIR':
      if (!/^(["']?)(\/|[A-Za-z]:|\$)/.test(rest)) tell(line, 'workdir-relative', { path: rest.slice(0, 100) })
      return
    case 'MAINTAINER':
      return tell(line, 'maintainer')
    case 'USER':
      stage.user = one
      return
    case 'EXPOSE':
      for (const port of rest.split(/\s+/)) if (!isPort(port)) tell(line, 'port', { port: port.slice(0, 40) })
      return
    case 'ENV':
    case 'ARG':
      for (const variable of namesWithValues(rest))
        if (secretName.test(variable)) tell(line, 'secret', { name: variable })
      return
    case 'CMD':
    case 'ENTRYPOINT': {
      const earlier = stage.single.get(name)
      if (earlier !== undefined) tell(earlier, 'only-last', { instruction: name })
      stage.single.set(name, line)
      return lintExec(one, tell)
    }
    case 'RUN':
      return lintRun(one, tell)
  }
}

function lintAdd({ line, rest }: Instruction, tell: Tell): void {
  const sources = rest.split(/\s+/).slice(0, -1)
  const url = sources.find((source) => /^["[]*(https?|ftp):\/\//i.test(source))
  if (url !== undefined) tell(line, 'add-url', { url: url.replace(/^["[]+/, '').slice(0, 100) })
  else if (sources.length > 0 && !rest.startsWith('<<') && !rest.startsWith('[') && !sources.some(unpacks))
    tell(line, 'add-local')
}

const unpacks = (source: string): boolean =>
  archive.test(source) || hasVariable(source) || /^git@|\.git(#|$)/.test(source)

function lintCopy({ line, flags }: Instruction, stages: readonly Stage[], tell: Tell): void {
  const from = flags.get('from')
  if (from === undefined || hasVariable(from)) return
  const earlier = stages.slice(0, -1)
  if (/^\d+$/.test(from) ? Number(from) >= earlier.length : from.toLowerCase() === stages.at(-1)?.name)
    tell(line, 'stage-unknown', { name: from })
}

function lintRun(one: Instruction, tell: Tell): void {
  const { line, rest } = one
  if (/(^|[;&|]\s*)sudo\s/.test(rest)) tell(line, 'sudo')
  if (
    /\bapt(-get)?\s+(?:-\S+\s+)*(install|upgrade)\b/.test(rest) &&
    !/\s(-y|-yq|-qy|-qqy|-yqq|-qq|--yes|--assume-yes)\b/.test(rest)
  )
    tell(line, 'apt-asks')
  if (/^cd\s+\S+$/.test(rest)) tell(line, 'run-cd')
  lintExec(one, tell)
}

/** Brackets that are not JSON are passed to a shell as they are. */
function lintExec({ line, rest, name }: Instruction, tell: Tell): void {
  if (!/^\[.*\]$/s.test(rest) || rest.startsWith('[ ')) return
  try {
    JSON.parse(rest)
  } catch {
    tell(line, 'exec-form', { instruction: name })
  }
}

function isPort(text: string): boolean {
  if (hasVariable(text)) return true
  const [, first = '', last = first] = /^(\d{1,5})(?:-(\d{1,5}))?(?:\/(?:tcp|udp|sctp))?$/i.exec(text) ?? []
  return first !== '' && Number(first) >= 1 && Number(last) <= 65_535 && Number(first) <= Number(last)
}

/** The names that get a literal value in `A=1 B="two words"`, or in the old form `A value`. */
const namesWithValues = (rest: string): string[] => {
  const pairs = [...rest.matchAll(/(?:^|\s)([A-Za-z_]\w*)=(\S*)/g)].filter(
    ([, , value]) => !/^["']?(\$.*)?["']?$/.test(value ?? ''),
  )
  if (pairs.length > 0 || rest.includes('=')) return pairs.map(([, name = '']) => name)
  const [, name, value] = /^([A-Za-z_]\w*)\s+(\S.*)$/.exec(rest) ?? []
  return name === undefined || value === undefined || hasVariable(value) ? [] : [name]
}
