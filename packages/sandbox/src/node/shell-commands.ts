import { resolvePath, type Effect, type Run, type Shell } from './shell.ts'

type Program = (shell: Shell, args: string[]) => Run

const text = (body: (shell: Shell, args: string[]) => string): Program =>
  function* (shell, args) {
    yield { out: body(shell, args) }
    return 0
  }
const status = (code: number): Program =>
  // eslint-disable-next-line require-yield -- the shape of every run
  function* () {
    return code
  }

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\', a: '\u0007', e: '\u001b' }
const unescaped = (raw: string): string =>
  raw.replace(/\\0?33/g, '\u001b').replace(/\\([ntrae\\])/g, (_, letter: string) => escapes[letter] ?? letter)

/** Everything that a command reads: its files, or its input. */
function* contents(
  shell: Shell,
  name: string,
  paths: string[],
): Generator<Effect, [text: string, status: number], string | null | undefined> {
  let code = 0
  let all = ''
  if (paths.length === 0) {
    for (;;) {
      const piece = yield { read: true }
      if (typeof piece !== 'string') return [all, 0]
      all += piece
    }
  }
  for (const path of paths) {
    const full = resolvePath(shell.cwd, path)
    const found = shell.files.read(full)
    if (found === undefined) {
      const why = shell.files.list(full) ? 'read error: Is a directory' : "can't open"
      yield {
        err: why.startsWith('read') ? `${name}: ${why}\n` : `${name}: ${why} '${path}': No such file or directory\n`,
      }
      code = 1
    } else all += found
  }
  return [all, code]
}

const filter = (name: string, work: (input: string, args: string[]) => [string, number]): Program =>
  function* (shell, args) {
    const options = args.filter((arg) => arg.startsWith('-') && arg.length > 1)
    const rest = args.filter((arg) => !options.includes(arg))
    // The value of -n stands as a word of its own.
    const plain =
      name === 'grep'
        ? rest.slice(1)
        : rest.filter((arg, n) => !(/^\d+$/.test(arg) && args[args.indexOf(arg) - 1] === '-n' && n >= 0))
    const [input, code] = yield* contents(shell, name, plain)
    const [out, own] = work(input, args)
    if (out !== '') yield { out }
    return code || own
  }

const linesOf = (input: string): string[] => (input === '' ? [] : input.replace(/\n$/, '').split('\n'))
const joined = (lines: string[]): string => (lines.length === 0 ? '' : `${lines.join('\n')}\n`)
const count = (args: string[]): number => Number(/-n?\s*(\d+)/.exec(args.join(' '))?.[1] ?? 10)

function listed(shell: Shell, path: string, args: string[]): string | undefined {
  const full = resolvePath(shell.cwd, path)
  const names = shell.files.list(full)
  const long = args.some((arg) => /^-\w*l/.test(arg))
  const row = (name: string, at: string): string => {
    const held = shell.files.read(at)
    const size = String(held === undefined ? 4096 : Buffer.byteLength(held)).padStart(8)
    return `${held === undefined ? 'drwxr-xr-x' : '-rw-r--r--'}    1 root     root      ${size} Jan  1 00:00 ${name}`
  }
  if (!names) return shell.files.read(full) === undefined ? undefined : `${long ? row(path, full) : path}\n`
  const all = args.some((arg) => /^-\w*a/.test(arg)) ? ['.', '..', ...names] : names
  return joined(long ? all.map((name) => row(name, resolvePath(full, name))) : all)
}

const ls: Program = function* (shell, args) {
  const paths = args.filter((arg) => !arg.startsWith('-'))
  let code = 0
  for (const path of paths.length > 0 ? paths : ['.']) {
    const out = listed(shell, path, args)
    if (out === undefined) {
      yield { err: `ls: ${path}: No such file or directory\n` }
      code = 1
    } else yield { out }
  }
  return code
}

const cd: Program = function* (shell, args) {
  const path = resolvePath(shell.cwd, args[0] ?? shell.env.get('HOME') ?? '/root')
  if (!shell.files.list(path)) {
    yield { err: `sh: cd: can't cd to ${args[0]}: No such file or directory\n` }
    return 1
  }
  shell.cwd = path
  return 0
}

const seconds: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }
const sleep: Program = function* (shell, args) {
  const found = /^(\d*\.?\d+)([smhd]?)$/.exec(args[0] ?? '')
  if (!found && args[0] !== 'infinity') {
    yield { err: `sleep: invalid number '${args[0] ?? ''}'\n` }
    return 1
  }
  shell.busy = 0
  shell.pause = 100
  const ms = found ? Number(found[1]) * (seconds[found[2] ?? ''] ?? 1) * 1000 : Number.MAX_SAFE_INTEGER
  yield { sleep: ms }
  return 0
}

function holds(shell: Shell, args: string[]): boolean {
  const [a = '', operator = '', b = ''] = args
  if (a === '!') return !holds(shell, args.slice(1))
  if (args.length === 1) return a !== ''
  const path = resolvePath(shell.cwd, operator)
  if (a === '-n') return operator !== ''
  if (a === '-z') return operator === ''
  if (a === '-f') return shell.files.read(path) !== undefined
  if (a === '-d') return shell.files.list(path) !== undefined
  if (a === '-e') return shell.files.read(path) !== undefined || shell.files.list(path) !== undefined
  if (operator === '=' || operator === '==') return a === b
  if (operator === '!=') return a !== b
  const compared = Number(a) - Number(b)
  return (
    {
      '-eq': compared === 0,
      '-ne': compared !== 0,
      '-lt': compared < 0,
      '-le': compared <= 0,
      '-gt': compared > 0,
      '-ge': compared >= 0,
    }[operator] ?? false
  )
}
// eslint-disable-next-line require-yield -- the shape of every run
const test: Program = function* (shell, args) {
  return Number(!holds(shell, args.at(-1) === ']' ? args.slice(0, -1) : args))
}

const read: Program = function* (shell, args) {
  const piece = yield { read: true }
  if (typeof piece !== 'string') return 1
  shell.env.set(args.at(-1) ?? 'REPLY', piece.replace(/\n.*$/s, ''))
  return 0
}

const help = `This is a simulated shell in a simulated container. It knows:
  cat cd date echo env exit grep head help hostname id ls mkdir printf ps pwd rm sleep tail touch true uname wc whoami
`

export const commands: Record<string, Program> = {
  ':': status(0),
  true: status(0),
  false: status(1),
  echo: text((_, args) => {
    const flags = /^-[neE]+$/.test(args[0] ?? '') ? (args[0] ?? '') : ''
    const body = (flags ? args.slice(1) : args).join(' ')
    return `${flags.includes('e') ? unescaped(body) : body}${flags.includes('n') ? '' : '\n'}`
  }),
  printf: text((_, [format = '', ...args]) => unescaped(format).replace(/%[sd]/g, () => args.shift() ?? '')),
  cat: function* (shell, args) {
    if (args.length > 0) {
      const [out, code] = yield* contents(shell, 'cat', args)
      if (out !== '') yield { out }
      return code
    }
    // A terminal wants each piece back as it comes.
    for (;;) {
      const piece = yield { read: true }
      if (typeof piece !== 'string') return 0
      yield { out: piece }
    }
  },
  ls,
  cd,
  pwd: text((shell) => `${shell.cwd}\n`),
  env: text((shell) => joined([...shell.env].map(([name, value]) => `${name}=${value}`))),
  printenv: text((shell, [name]) =>
    name === undefined
      ? joined([...shell.env].map(([key, value]) => `${key}=${value}`))
      : joined(shell.env.has(name) ? [shell.env.get(name) ?? ''] : []),
  ),
  // eslint-disable-next-line require-yield -- the shape of every run
  export: function* (shell, args) {
    for (const arg of args) {
      const [name = '', ...value] = arg.split('=')
      if (arg.includes('=')) shell.env.set(name, value.join('='))
    }
    return 0
  },
  // eslint-disable-next-line require-yield -- the shape of every run
  unset: function* (shell, args) {
    for (const name of args) shell.env.delete(name)
    return 0
  },
  set: status(0),
  trap: status(0),
  chmod: status(0),
  sync: status(0),
  clear: text(() => '\u001b[H\u001b[J'),
  hostname: text((shell) => `${shell.hostname}\n`),
  whoami: text(() => 'root\n'),
  id: text((_, args) => (args[0] === '-u' || args[0] === '-g' ? '0\n' : 'uid=0(root) gid=0(root) groups=0(root)\n')),
  uname: text((shell, args) =>
    args.includes('-a') ? `Linux ${shell.hostname} 0.0.0-simulated #1 x86_64 GNU/Linux\n` : 'Linux\n',
  ),
  date: text((shell, args) => {
    const now = new Date(shell.now())
    if (args.includes('+%s')) return `${Math.floor(now.getTime() / 1000)}\n`
    return `${now.toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT$/, '$1 $3 $2 $5 UTC $4')}\n`
  }),
  ps: text(
    (shell) =>
      `PID   USER     TIME  COMMAND\n    1 root      0:00 ${shell.env.get('SANDBOX_COMMAND') ?? 'sh'}\n    7 root      0:00 ps\n`,
  ),
  head: function* (shell, args) {
    const bytes = args[0] === '-c' ? Number(args[1]) : undefined
    if (bytes !== undefined && args[2] === '/dev/zero') {
      for (let left = bytes; left > 0; left -= 65_536) yield { out: '\0'.repeat(Math.min(left, 65_536)) }
      return 0
    }
    if (bytes === undefined)
      return yield* filter('head', (input) => [joined(linesOf(input).slice(0, count(args))), 0])(shell, args)
    const [input, code] = yield* contents(shell, 'head', args.slice(2))
    yield { out: Buffer.from(input).subarray(0, bytes).toString('utf8') }
    return code
  },
  stty: function* (shell, args) {
    if (args[0] === 'size') yield { out: `${shell.env.get('LINES') ?? 24} ${shell.env.get('COLUMNS') ?? 80}\n` }
    return 0
  },
  tail: filter('tail', (input, args) => [joined(linesOf(input).slice(-count(args))), 0]),
  grep: filter('grep', (input, args) => {
    const pattern = args.find((arg) => !arg.startsWith('-')) ?? ''
    const found = linesOf(input).filter((line) => line.includes(pattern) !== args.includes('-v'))
    return [args.includes('-q') ? '' : joined(found), Number(found.length === 0)]
  }),
  wc: filter('wc', (input, args) => [
    args.includes('-l')
      ? `${linesOf(input).length}\n`
      : args.includes('-c')
        ? `${Buffer.byteLength(input)}\n`
        : `${linesOf(input).length} ${input.split(/\s+/).filter(Boolean).length} ${Buffer.byteLength(input)}\n`,
    0,
  ]),
  seq: text((_, args) => {
    const [from, to] = args.length > 1 ? [Number(args[0]), Number(args[1])] : [1, Number(args[0] ?? 0)]
    const length = Math.min(Math.max(to - from + 1, 0), 100_000)
    return joined(Array.from({ length }, (_, n) => String(from + n)))
  }),
  // eslint-disable-next-line require-yield -- the shape of every run
  touch: function* (shell, args) {
    for (const path of args) {
      const full = resolvePath(shell.cwd, path)
      shell.files.write(full, shell.files.read(full) ?? '')
    }
    return 0
  },
  // eslint-disable-next-line require-yield -- the shape of every run
  mkdir: function* (shell, args) {
    for (const path of args.filter((arg) => !arg.startsWith('-'))) shell.files.makeFolder(resolvePath(shell.cwd, path))
    return 0
  },
  rm: function* (shell, args) {
    let code = 0
    for (const path of args.filter((arg) => !arg.startsWith('-')))
      if (!shell.files.remove(resolvePath(shell.cwd, path)) && !args.some((arg) => /^-\w*f/.test(arg))) {
        yield { err: `rm: can't remove '${path}': No such file or directory\n` }
        code = 1
      }
    return code
  },
  sleep,
  test,
  '[': test,
  read,
  help: text(() => help),
}
