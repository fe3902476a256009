import { dirname, resolve } from 'node:path/posix'
import type { Entry, Files } from './files.ts'

/** Input and output of a file program: bytes, whereas the shell uses text. */
export interface FileIo {
  input: AsyncIterable<Buffer>
  out(bytes: Buffer): Promise<void>
  err(text: string): void
}

type Program = (files: Files, args: string[], io: FileIo) => Promise<number>

const block = 64 * 1024

class Failed extends Error {}

const reasons = {
  missing: 'No such file or directory',
  folder: 'Is a directory',
  plain: 'Not a directory',
  full: 'No space left on device',
  readonly: 'Read-only file system',
} as const

const fail = (why: string): never => {
  throw new Failed(why)
}

const entryAt = (files: Files, program: string, path: string): Entry =>
  files.entry(path) ?? fail(`${program}: ${path}: ${reasons.missing}`)

const letter = { file: '-', folder: 'd', device: 'c' } as const
/** The file type bits of a mode, which `stat -c %f` shows in hexadecimal. */
const typeBits = { file: 0x8000, folder: 0x4000, device: 0x2000 } as const

const two = (n: number): string => String(n).padStart(2, '0')
const moment = (at: number): string => {
  const when = new Date(at)
  const [year, month, day] = [when.getUTCFullYear(), when.getUTCMonth() + 1, when.getUTCDate()]
  const time = [when.getUTCHours(), when.getUTCMinutes(), when.getUTCSeconds()].map(two).join(':')
  return `${year}-${two(month)}-${two(day)} ${time} +0000`
}

const modeText = ({ kind, mode }: Entry): string =>
  letter[kind] +
  [6, 3, 0].map((at) => 'rwx'.replaceAll(/./g, (c, n: number) => ((mode >> at) & (4 >> n) ? c : '-'))).join('')

const row = (name: string, entry: Entry): string =>
  `${modeText(entry)}    1 0        0        ${entry.kind === 'device' ? '  1,   3' : String(entry.size).padStart(8)} ${moment(entry.changed)} ${name}\n`

/** The arguments that are not options. */
const operands = (args: string[]): string[] => {
  const end = args.indexOf('--')
  return end >= 0 ? args.slice(end + 1) : args.filter((arg) => !arg.startsWith('-'))
}

const optionOf = (args: string[], name: string): string | undefined =>
  args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1)

async function list(files: Files, args: string[], io: FileIo): Promise<number> {
  const options = args.filter((arg) => /^-\w+$/.test(arg)).join('')
  const deep = options.includes('R')
  const paths = operands(args)
  let code = 0
  const show = async (path: string, titled: boolean): Promise<void> => {
    const names = files.list(path) ?? []
    const rows = names.map((name) => row(name, files.entry(resolve(path, name)) ?? entryAt(files, 'ls', path)))
    await io.out(Buffer.from(`${titled ? `${path}:\n` : ''}total ${names.length}\n${rows.join('')}`))
    if (!deep) return
    for (const name of names) {
      const inner = resolve(path, name)
      if (files.entry(inner)?.kind !== 'folder') continue
      await io.out(Buffer.from('\n'))
      await show(inner, true)
    }
  }
  for (const given of paths) {
    const path = resolve('/', given)
    const entry = files.entry(path)
    if (!entry) {
      io.err(`ls: ${given}: ${reasons.missing}\n`)
      code = 1
    } else if (entry.kind !== 'folder' && given.endsWith('/')) {
      io.err(`ls: ${given}: ${reasons.plain}\n`)
      code = 1
    } else if (entry.kind === 'folder') await show(path, deep || paths.length > 1)
    else await io.out(Buffer.from(row(given, entry)))
  }
  return code
}

const programs: Record<string, Program> = {
  async stat(files, args, io) {
    const format = args[args.indexOf('-c') + 1] ?? '%n'
    for (const path of operands(args).filter((arg) => arg !== format)) {
      const entry = files.entry(resolve('/', path))
      if (!entry) return fail(`stat: can't stat '${path}': ${reasons.missing}`)
      const values: Record<string, string> = {
        f: (typeBits[entry.kind] | entry.mode).toString(16),
        s: String(entry.size),
        Y: String(Math.floor(entry.changed / 1000)),
        a: entry.mode.toString(8),
        n: path,
      }
      await io.out(Buffer.from(`${format.replaceAll(/%(\w)/g, (_, key: string) => values[key] ?? '?')}\n`))
    }
    return 0
  },

  async readlink(files, args, io) {
    const [path = ''] = operands(args)
    const whole = resolve('/', path)
    // Like the real program, accepts a missing file if its folder exists.
    if (!files.entry(whole) && !files.entry(dirname(whole))) return 1
    await io.out(Buffer.from(`${whole}\n`))
    return 0
  },

  async dd(files, args, io) {
    const from = optionOf(args, 'if')
    const size = Number(optionOf(args, 'bs') ?? 512)
    const path = resolve('/', from ?? '')
    const entry = entryAt(files, 'dd', path)
    if (entry.kind === 'folder') return fail(`dd: ${path}: ${reasons.folder}`)
    const bytes = files.bytes(path) ?? Buffer.alloc(0)
    const start = Number(optionOf(args, 'skip') ?? 0) * size
    const count = optionOf(args, 'count')
    const end = count === undefined ? bytes.length : Math.min(bytes.length, start + Number(count) * size)
    for (let at = start; at < end; at += block) await io.out(bytes.subarray(at, Math.min(end, at + block)))
    return 0
  },

  async tee(files, args, io) {
    const [to = ''] = operands(args)
    const path = resolve('/', to)
    const parts: Buffer[] = []
    // Like the real program, continues without the file.
    let refused = files.write(path, Buffer.alloc(0))
    if (refused !== undefined) io.err(`tee: ${to}: ${reasons[refused]}\n`)
    for await (const piece of io.input) {
      if (refused === undefined) {
        parts.push(piece)
        refused = files.write(path, Buffer.concat(parts))
        if (refused !== undefined) io.err(`tee: ${to}: ${reasons[refused]}\n`)
      }
      await io.out(piece)
    }
    return refused === undefined ? 0 : 1
  },

  async mv(files, args) {
    const [from = '', to = ''] = operands(args).map((path) => resolve('/', path))
    const bytes = files.bytes(from) ?? fail(`mv: can't rename '${from}': ${reasons.missing}`)
    const mode = files.entry(from)?.mode
    const refused = files.write(to, bytes)
    if (refused !== undefined) return fail(`mv: can't rename '${from}': ${reasons[refused]}`)
    if (mode !== undefined) files.setMode(to, mode)
    files.remove(from)
    return 0
  },

  async rm(files, args) {
    for (const path of operands(args)) files.remove(resolve('/', path))
    return 0
  },

  async chmod(files, args) {
    const [mode = '', path = ''] = operands(args)
    files.setMode(resolve('/', path), Number.parseInt(mode, 8))
    return 0
  },

  async tar(files, args, io) {
    const top = resolve('/', args[args.indexOf('-C') + 1] ?? '/')
    if (files.entry(top)?.kind !== 'folder') return fail(`tar: can't change directory to '${top}': ${reasons.missing}`)
    const add = async (path: string, name: string): Promise<void> => {
      const entry = entryAt(files, 'tar', path)
      await io.out(header(entry, name))
      if (entry.kind === 'file') {
        const bytes = files.bytes(path) ?? Buffer.alloc(0)
        await io.out(Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]))
      }
      for (const inner of entry.kind === 'folder' ? (files.list(path) ?? []) : [])
        await add(
          resolve(path, inner),
          `${name}${inner}${files.entry(resolve(path, inner))?.kind === 'folder' ? '/' : ''}`,
        )
    }
    await add(top, './')
    await io.out(Buffer.alloc(1024))
    return 0
  },
}

/** A header of the ustar format. */
function header({ kind, mode, size, changed }: Entry, name: string): Buffer {
  const block = Buffer.alloc(512)
  const octal = (value: number, at: number, length: number): void =>
    void block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  block.write(name.slice(0, 100), 0, 'utf8')
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(kind === 'file' ? size : 0, 124, 12)
  octal(Math.floor(changed / 1000), 136, 12)
  block.write('        ', 148, 'latin1')
  block.write(kind === 'folder' ? '5' : '0', 156, 'latin1')
  block.write('ustar\u000000', 257, 'latin1')
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return block
}

const base = (name: string): string => name.replace(/^(\/usr)?\/bin\//, '')

/** The file program of a command, if it is one; `ls` only in the form that file screens use. */
export function fileProgram([name = '', ...args]: string[]):
  | ((files: Files, io: FileIo) => Promise<number>)
  | undefined {
  const program = base(name)
  const run = program === 'ls' ? (args.includes('--full-time') ? list : undefined) : programs[program]
  if (!run) return undefined
  return async (files, io) => {
    try {
      return await run(files, args, io)
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      io.err(`${error.message}\n`)
      return 1
    }
  }
}
