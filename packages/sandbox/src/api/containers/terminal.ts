import { setImmediate as nextTurn } from 'node:timers/promises'

/** The input of a program in a container. */
export interface Input {
  push(text: string): void
  /** Resolves when little input waits for the program: at once, or after it has read. */
  room(): Promise<void>
  end(): void
  /** The next line, with its newline; without a terminal, all input so far; null at the end. */
  read(): Promise<string | null>
  /** Waits; answers true early if Ctrl-C is pressed or the input is closed. */
  interrupted(ms: number): Promise<boolean>
}

interface Options {
  tty: boolean
  echo(text: string): void
  /** Resolves when the echo has been sent; then more may be echoed. */
  echoed?(): Promise<unknown>
}

const historyLines = 200
/** Maximum characters of a line, as in a small shell's editor; further input is ignored. */
const longestLine = 1024
/** The most input that may wait for the program before the sender has to wait. */
const maxWaiting = 64 * 1024
/** Recalling a line with an arrow key echoes a thousand times what was typed, so few keys are processed at a time. */
const keysAtOnce = 500

/** The part of a key's escape sequence after the escape. */
const sequence = /^(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])/

/**
 * A terminal's line discipline: echoes the input, and allows corrections. Backspace, Ctrl-C, Ctrl-D, Ctrl-L, Ctrl-U,
 * Ctrl-W, and the last lines by the arrow keys. Without a terminal the input passes through.
 */
export function lineEditor({ tty, echo, echoed = nextTurn }: Options): Input {
  let ready = ''
  const history: string[] = []
  let line = ''
  let at = 0
  let typed = ''
  let ended = false
  let waiting: ((text: string | null) => void) | undefined
  let pumping = false
  let makeRoom: (() => void) | undefined
  let stop: (() => void) | undefined

  const give = (text: string): void => {
    if (!waiting) {
      ready += text
      return
    }
    const answer = waiting
    waiting = undefined
    answer(text)
  }
  const replace = (next: string): void => {
    echo('\b \b'.repeat([...line].length) + next)
    line = next
  }
  /** While its program sleeps, a terminal keeps only this much input and drops the rest, like a real one. */
  const asleep = (): boolean => tty && stop !== undefined
  const taken = (): void => {
    if (!ended && !asleep() && ready.length + typed.length > maxWaiting) return
    makeRoom?.()
    makeRoom = undefined
  }
  const back = (): void => {
    if (line === '') return
    line = [...line].slice(0, -1).join('')
    echo('\b \b')
  }
  const enter = (): void => {
    echo('\r\n')
    if (line.trim() !== '') history.push(line)
    if (history.length > historyLines) history.shift()
    at = history.length
    give(`${line}\n`)
    line = ''
  }
  const recall = (by: number): void => {
    at = Math.min(Math.max(at + by, 0), history.length)
    replace(history[at] ?? '')
  }
  const end = (): void => {
    ended = true
    waiting?.(null)
    waiting = undefined
    stop?.()
    taken()
  }

  const keys: Record<string, () => void> = {
    '\r': enter,
    '\n': enter,
    '\u007f': back,
    '\b': back,
    '\u0003': () => {
      echo('^C\r\n')
      line = ''
      // An abandoned line is read as an empty one: the shell shows its prompt again.
      give('\n')
    },
    '\u0004': () => line === '' && end(),
    '\u000c': () => echo(`\u001b[H\u001b[J${line}`),
    '\u0015': () => replace(''),
    '\u0017': () => replace(line.replace(/\S*\s*$/, '')),
    '\u001b[A': () => recall(-1),
    '\u001b[B': () => recall(1),
  }

  const pressKey = (): boolean => {
    if (!waiting || typed === '') return false
    const escape = typed.startsWith('\u001b') ? sequence.exec(typed.slice(1, 32)) : null
    // The rest of the sequence comes with the next message.
    if (!escape && typed.startsWith('\u001b') && typed.length < 8) return false
    const char = escape ? `\u001b${escape[0]}` : String.fromCodePoint(typed.codePointAt(0) ?? 0)
    typed = typed.slice(char.length)
    const key = keys[char]
    if (key) key()
    else if (char >= ' ' && !escape && line.length < longestLine) {
      line += char
      echo(char)
    }
    return true
  }
  /** Processes the input key by key while the program reads: what is typed ahead is echoed when it is processed. */
  const pump = (): void => {
    if (pumping) return
    let pressed = 0
    while (pressed < keysAtOnce && pressKey()) pressed++
    taken()
    if (pressed < keysAtOnce) return
    pumping = true
    void echoed().then(() => {
      pumping = false
      pump()
    })
  }
  const type = (text: string): void => {
    typed += text
    const interrupt = typed.lastIndexOf('\u0003')
    if (!waiting && interrupt >= 0) {
      // Ctrl-C takes effect at once, and discards the input before it.
      typed = typed.slice(interrupt + 1)
      echo('^C\r\n')
      stop?.()
    }
    if (asleep()) typed = typed.slice(0, maxWaiting)
    pump()
  }

  return {
    push(text) {
      if (ended) return
      if (tty) type(text)
      else give(text)
    },
    end,
    room() {
      return new Promise((resolve) => {
        makeRoom = resolve
        taken()
      })
    },
    read() {
      if (ready !== '') {
        const next = ready
        ready = ''
        taken()
        return Promise.resolve(next)
      }
      if (ended) return Promise.resolve(null)
      return new Promise((resolve) => {
        waiting = resolve
        pump()
      })
    },
    interrupted(ms) {
      return new Promise((resolve) => {
        const timer = setTimeout(() => done(false), Math.min(ms, 2 ** 31 - 1))
        const done = (was: boolean): void => {
          clearTimeout(timer)
          stop = undefined
          resolve(was)
        }
        stop = () => done(true)
        taken()
      })
    },
  }
}
