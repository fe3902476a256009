import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeFiles } from './files.ts'
import { run, type Shell } from './shell.ts'

interface Ran {
  out: string
  err: string
  unknown: string
  code: number
  slept: number
  effects: number
}

const newShell = (files: Record<string, string> = {}, more: Partial<Shell> = {}): Shell => ({
  env: new Map([
    ['HOME', '/root'],
    ['A', '1'],
    ['S', 'x  y'],
  ]),
  cwd: '/',
  files: makeFiles({ '/etc/hostname': 'box\n', '/data/a': 'one\ntwo\n', ...files }, { now: () => 0 }),
  terminal: false,
  state: 'scripted',
  status: 0,
  left: 0,
  ...more,
})

/** Runs a program with this input, without waiting in sleeps; `interrupt` interrupts each wait. */
function ran(shell: Shell, argv: string[], input: string[] = [], interrupt = false): Ran {
  const now: Ran = { out: '', err: '', unknown: '', code: -1, slept: 0, effects: 0 }
  const running = run(shell, argv)
  for (let answer: string | null | undefined; ; now.effects++) {
    const step = running.next(answer)
    if (step.done) return { ...now, code: step.value }
    const effect = step.value
    answer = undefined
    if ('out' in effect) now.out += effect.out
    else if ('err' in effect) now.err += effect.err
    else if ('unknown' in effect) now.unknown += `${effect.unknown}\n`
    else if ('read' in effect) answer = input.shift() ?? null
    else if (interrupt) answer = null
    else now.slept += effect.sleep
  }
}
const script = (source: string, shell = newShell()): Ran => ran(shell, ['sh', '-c', source])

const table: [source: string, out: string, code?: number][] = [
  ['echo a b   c', 'a b c\n'],
  ['echo "a  b" \'$A\' "$A" $A', 'a  b $A 1 1\n'],
  ['echo "a\\"b\\$A" a\\ b \'"\'', 'a"b$A a b "\n'],
  ['echo ${A} ${B}x $A$A "$S"', '1 x 11 x  y\n'],
  ['echo $B "" a', ' a\n'],
  ['echo -n a; echo b', 'ab\n'],
  ['B=2; echo $B; B=3 true; echo $? $B', '2\n0 3\n'],
  ['C="a b"; export C; export D=4 E; env', 'HOME=/root\nA=1\nS=x  y\nC=a b\nD=4\n'],
  ['true && echo yes || echo no', 'yes\n'],
  ['false && echo yes || echo no', 'no\n'],
  ['false; echo $?', '1\n'],
  ['exit 7; echo never', '', 7],
  ['false; exit', '', 1],
  ['exec echo last; echo never', 'last\n'],
  ['exec exec false; echo never', '', 1],
  ['cat /data/a /etc/hostname', 'one\ntwo\nbox\n'],
  ['cd /data && pwd && ls; cd; pwd', '/data\na\n/root\n'],
  ['cd data; ls ..; ls ./../data', 'bin\ndata\ndev\netc\nhome\nproc\nroot\nsys\ntmp\nusr\nvar\na\n'],
  ['touch /tmp/a b && ls /tmp; cat b /data/../tmp/a', 'a\n'],
  ['cat /none 2>&1', "cat: can't open '/none': No such file or directory\n", 1],
  ['echo a >/dev/null; cat /none 2> /dev/null; cat /none >/dev/null 2>&1; echo b', 'b\n'],
  ['command -v bash >/dev/null 2>&1 && echo bash; command -v sh', 'sh\n'],
  ['/bin/echo one # two\necho a#b\n\n;; echo c', 'one\na#b\nc\n'],
]

test.each(table)('%s', (source, out, code = 0) => {
  expect(script(source)).toMatchObject({ out, err: '', unknown: '', code })
})

test.each([
  ['echo a >&2', 'a\n', 0],
  ['cat none', "cat: can't open 'none': No such file or directory\n", 1],
  ['cd none', "sh: cd: can't cd to none: No such file or directory\n", 1],
  ['ls none', 'ls: none: No such file or directory\n', 1],
  ['sleep long', "sleep: invalid number 'long'\n", 1],
])('%s: an error', (source, err, code) => {
  expect(script(source)).toMatchObject({ out: '', err, unknown: '', code })
})

test.each([
  ['nope', 'nope: not found\n', 127],
  ['constructor; exec nope; echo never', 'constructor: not found\nnope: not found\n', 127],
  ['sh -c true', 'sh: not found\n', 127],
  ['echo a | cat', 'syntax error: unexpected |\n', 2],
  ['echo $(pwd)', 'syntax error: unexpected (\n', 2],
  ['sleep 1 & wait', 'syntax error: unexpected &\n', 2],
  ['echo >file', 'syntax error: unexpected >\n', 2],
  ['echo "open', 'syntax error: unexpected "\n', 2],
])('%s: reports an unknown command', (source, unknown, code) => {
  expect(script(source)).toMatchObject({ out: '', unknown, code })
})

test('a program without a shell', () => {
  expect(ran(newShell(), ['echo', "it's", '$A', ''])).toMatchObject({ out: "it's $A \n", code: 0 })
  expect(ran(newShell(), ['/bin/sh', '-ec', 'exit 3'])).toMatchObject({ code: 3 })
  expect(ran(newShell(), ['cat'], ['one\ntw', 'o'])).toMatchObject({ out: 'one\ntwo', code: 0 })
})

test('time passes only in sleeps, and an interrupted wait ends the commands after it', () => {
  expect(script('sleep 1.5; sleep 2m; echo done')).toMatchObject({ out: 'done\n', slept: 121_500 })
  expect(script('sleep infinity').slept).toBeGreaterThan(1e15)
  const source = ['sh', '-c', 'sleep 60; echo never']
  expect(ran(newShell(), source, [], true)).toMatchObject({ out: '', code: 130 })
})

describe('a terminal', () => {
  const typed = (...input: string[]) => ran(newShell({}, { terminal: true }), ['sh'], input)

  test('shows a prompt, reads line after line, and ends with exit', () => {
    expect(typed('cd /tmp\n', '\n', 'sleep x && echo a; echo b\n', 'sh\n', 'exit 4\n', 'echo never\n')).toMatchObject({
      out: '/ # /tmp # /tmp # b\n/tmp # /tmp # ',
      code: 4,
    })
  })
  test('ends at the end of the input', () => {
    expect(typed('false\n')).toMatchObject({ out: '/ # / # exit\n', code: 1 })
    expect(ran(newShell(), ['sh'], ['echo a\necho b\n', 'false'])).toMatchObject({ out: 'a\nb\n', code: 1 })
  })
  test('an interrupted wait does not end the shell', () => {
    const shell = newShell({}, { terminal: true })
    const again = ['sleep 9; echo never\n', 'echo $?\n', 'exit\n']
    expect(ran(shell, ['sh'], again, true)).toMatchObject({ out: '/ # / # 130\n/ # ', code: 0 })
  })
  test('a script replaces itself with a shell', () => {
    const source = 'B=kept; export B; command -v bash >/dev/null 2>&1 && exec bash; exec sh; echo never'
    const shell = newShell({}, { terminal: true })
    expect(ran(shell, ['sh', '-c', source], ['echo $B\n'])).toMatchObject({ out: '/ # kept\n/ # exit\n', code: 0 })
  })
})

describe('limits', () => {
  const large = { '/large': 'x'.repeat(600_000) }

  test('bound how much a script reads and expands', () => {
    const doubled = `A=x; ${'A=$A$A$A$A; '.repeat(40)}`
    expect(script(`${doubled}echo $A`).out).toHaveLength(4097)
    expect(script(`${doubled}${'echo $A$A$A$A$A$A$A$A; '.repeat(100)}`)).toMatchObject({
      err: 'sh: out of memory\n',
      code: 137,
    })
    for (const source of ['cat /large /large', 'cat /large; cat /large', 'cat /large; cat /large; echo never'])
      expect(script(source, newShell(large))).toMatchObject({ err: 'sh: out of memory\n', code: 137 })
    const lines = ['cat /large', 'cat /large', 'cat /large']
    expect(ran(newShell(large), ['sh'], lines)).toMatchObject({ err: '', code: 0 })
  })
  test('bound variables, files and the script itself', () => {
    const shell = newShell()
    const many = Array.from({ length: 5000 }, (_, n) => `V${n}=1`).join(' ')
    expect(script(`${many}; A=new; echo $A`, shell).out).toBe('new\n')
    expect(shell.env.size).toBe(1000)
    const files = Array.from({ length: 1001 }, (_, n) => String(n)).join(' ')
    expect(script(`touch ${files}`).err).toBe('touch: 1000: No space left on device\n')
    expect(script('true;'.repeat(20_000))).toMatchObject({ unknown: 'the script is too long\n', code: 2 })
  })
  test('bound the steps of any script', () => {
    const pieces = fc.constantFrom(
      ...'; && || | & > >/dev/null 2>&1 < ( ) { } ` # $ " \' \\ é'.split(' '),
      ...'echo;exec;sh;cat;sleep 1;exit;A=1;$A;${A};$?; ; ; ;\n'.split(';'),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 16 }), fc.boolean(), (parts, terminal) => {
        const source = parts.join('')
        const { code, effects } = ran(newShell({}, { terminal }), ['sh', '-c', source], [source, source])
        expect(code).toBeGreaterThanOrEqual(0)
        expect(effects).toBeLessThan(200)
      }),
      { numRuns: 2000 },
    )
  })
})
