import { render } from '@testing-library/react'
import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { AnsiLine, plainText, visibleText } from './ansi.tsx'
import { logBlock, pagedLog, streamLog, type LogLine } from './log-feed.ts'
import { searchFeed } from './log-search.ts'
import { LogTime } from './log-time.tsx'
import { cleanPaste } from './terminal.tsx'

const esc = '\u001b'
const html = (text: string, needle?: string) => {
  const { container, unmount } = render(<AnsiLine text={text} {...(needle === undefined ? {} : { needle })} />)
  const found = container.innerHTML
  unmount()
  return found
}

describe('a line of a log', () => {
  test('colours become classes, the rest text', () => {
    expect(html(`a ${esc}[31;1mred${esc}[0m b`)).toBe(
      '<span class="">a </span><span class="ansi-red ansi-bold">red</span><span class=""> b</span>',
    )
  })

  test('markup is never markup', () => {
    const { container } = render(<AnsiLine text={`${esc}[32m<img src=x onerror=alert(1)>${esc}[0m<script>`} />)
    expect(container.querySelector('img, script')).toBeNull()
    expect(container.textContent).toBe('<img src=x onerror=alert(1)><script>')
  })

  test.each([
    ['a move to another line', `a${esc}[2Ab`, 'ab'],
    ['a title', `${esc}]0;evil\u0007a`, 'a'],
    ['a write to the clipboard', `a${esc}]52;c;ZXZpbA==${esc}\\b`, 'ab'],
    ['a link', `${esc}]8;;http://x${esc}\\text${esc}]8;;${esc}\\`, 'text'],
    ['progress over a carriage return', '10 %\r50 %\r100 %', '100 %'],
    ['what an erased line said', `downloading 50 %\r${esc}[Kdone`, 'done'],
    ['a line end of Windows', 'text\r', 'text'],
    ['bells and C1 controls', 'a\u0007\u009bb', 'ab'],
  ])('removes %s', (_what, line, expected) => {
    expect(visibleText(line)).toBe(expected)
  })

  test('shows no control character from any input', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.constantFrom(esc, '[', ']', ';', '5', 'm', '\r', 'x')),
        (text, noise) => {
          // oxlint-disable-next-line no-control-regex -- they are what must be gone
          expect(plainText(text + noise.join(''))).not.toMatch(/[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/)
        },
      ),
    )
  })

  test('shows both ends of a long line', () => {
    const output = html(`BEGIN${'x'.repeat(50_000)}${esc}[31mERROR${esc}[0m`)
    expect(output).toMatch(/^<span class="">BEGINx+ … \[\+\d+ B\] … x+<\/span><span class="ansi-red">ERROR<\/span>$/)
    expect(output.length).toBeLessThan(21_000)
  })

  test('marks the searched text, ignoring case', () => {
    expect(html('Error: no errors', 'error')).toBe('<mark>Error</mark>: no <mark>error</mark>s')
  })
})

describe('the time of a line', () => {
  const at = new Date(2026, 0, 2, 3, 4, 5, 678)

  test.each([at.getTime(), at.toISOString()])(
    '%s is shown to the tenth; its day and zone are in the tooltip',
    (time) => {
      const { container } = render(<LogTime at={time} />)
      const element = container.querySelector('time')
      expect(element?.textContent).toBe('03:04:05.6')
      expect(element?.title).toMatch(/^2026-01-02 03:04:05 UTC[+-]/)
    },
  )

  test.each([null, undefined])('leaves the place of %s empty', (time) => {
    const { container } = render(<LogTime at={time} />)
    expect(container.innerHTML).toBe('<time></time>')
  })
})

describe('pasting into a terminal', () => {
  test('removes ESC, C1 and other controls, and keeps tabs and line ends', () => {
    expect(cleanPaste(`ls${esc}[201~\r\u0003\u009b31m\tx\ny`)).toBe('ls[201~\r31m\tx\ny')
  })
})

const lineOf = (n: number): LogLine => ({ n, text: `line ${n}` })
const range = (from: number, to: number): LogLine[] =>
  Array.from({ length: to - from + 1 }, (_, at) => lineOf(from + at))

describe('a log stored on the server', () => {
  const million = 1_000_000
  const read = vi.fn((offset: number, limit: number) => {
    const from = offset === -1 ? million - limit : offset
    return Promise.resolve({ lines: range(from + 1, Math.min(million, from + limit)), total: million, complete: true })
  })
  beforeEach(() => void read.mockClear())
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

  test('opens at its end with one read', async () => {
    const log = pagedLog(read)
    log.wake()
    await settle()
    expect(read.mock.calls).toEqual([[-1, logBlock]])
    expect([log.get().last, log.get().line(million)?.text]).toEqual([million, `line ${million}`])
  })

  test('fetches visible lines, and none twice', async () => {
    const log = pagedLog(read)
    log.wake()
    await settle()
    log.get().want(700, 730)
    log.get().want(701, 731)
    await settle()
    log.get().want(700, 730)
    expect(read.mock.calls.slice(1)).toEqual([[500, logBlock]])
    expect(log.get().line(700)?.text).toBe('line 700')
  })

  test('keeps a bounded part of it', async () => {
    const log = pagedLog(read)
    log.wake()
    await settle()
    for (let n = 1; n < 100 * logBlock; n += logBlock) {
      log.get().want(n, n)
      await settle()
    }
    const here = Array.from({ length: 100 }, (_, at) => log.get().line(at * logBlock + 1)).filter(Boolean)
    expect(here.length).toBe(60)
    expect(log.get().line(99 * logBlock + 1)).toBeDefined()
  })

  test('grows while it is written: no line twice, none missing', async () => {
    let written = 3
    const growing = vi.fn((offset: number, limit: number) => {
      const from = offset === -1 ? Math.max(0, written - limit) : offset
      return Promise.resolve({
        lines: range(from + 1, Math.min(written, from + limit)),
        total: written,
        complete: written >= 1200,
      })
    })
    const log = pagedLog(growing)
    log.wake()
    await settle()
    expect(log.get()).toMatchObject({ last: 3, live: true })
    written = 640
    log.wake()
    await settle()
    expect(growing.mock.lastCall).toEqual([2, logBlock])
    written = 1200
    log.wake()
    await settle()
    expect(log.get()).toMatchObject({ last: 1200, live: false })
    log.get().want(1, 1200)
    await settle()
    expect(range(1, 1200).every(({ n, text }) => log.get().line(n)?.text === text)).toBe(true)
  })

  describe('with an unfinished last line', () => {
    let text = ''
    const answer = (...more: string[]) => {
      const lines = ['first', text, ...more].map((each, at) => ({ n: at + 1, text: each }))
      return { lines, total: lines.length, complete: false }
    }
    const growing = (offset: number) => {
      const part = answer()
      return Promise.resolve({ ...part, lines: part.lines.slice(offset === -1 ? 0 : offset) })
    }

    test('shows the line as it grows', async () => {
      const log = pagedLog(growing)
      for (text of ['tests: .', 'tests: ........', 'tests: ........ FAILED 3 of 8']) {
        log.wake()
        await settle()
        expect([log.get().last, log.get().line(2)?.text]).toEqual([2, text])
      }
    })

    test('requests once more after any number of wakes during a request', async () => {
      const read = vi.fn(growing)
      const log = pagedLog(read)
      text = 'before'
      log.wake()
      text = 'after'
      for (let turn = 0; turn < 100; turn++) log.wake()
      await settle()
      expect(read).toHaveBeenCalledTimes(2)
      expect(log.get().line(2)?.text).toBe('after')
    })

    test('keeps newer lines than those in a late answer', async () => {
      let late: (part: ReturnType<typeof answer>) => void = () => undefined
      const log = pagedLog((offset) =>
        offset === 0 ? new Promise((resolve) => (late = resolve)) : Promise.resolve({ ...answer('next'), lines: [] }),
      )
      log.wake()
      await settle()
      text = 'half'
      log.get().want(1, 2)
      const old = answer()
      text = 'whole'
      log.wake()
      late(old)
      await settle()
      expect(log.get().line(1)?.text).toBe('first')
      expect(log.get().line(2)).toBeUndefined()
    })
  })

  test('reports a failure, and does not retry at once', async () => {
    const failing = vi.fn(() => Promise.reject(new Error('gone')))
    const log = pagedLog(failing)
    log.wake()
    await settle()
    log.wake()
    log.get().want(1, 10)
    expect(log.get().error).toEqual(new Error('gone'))
    expect(failing).toHaveBeenCalledOnce()
  })
})

describe('a stream', () => {
  test('keeps its last lines and counts what it dropped', () => {
    vi.useFakeTimers()
    const log = streamLog(100)
    for (let at = 0; at < 50; at += 1)
      log.append(Array.from({ length: 10 }, (_, i) => ({ text: `line ${at * 10 + i + 1}` })))
    vi.advanceTimersByTime(50)
    const { first, last, line } = log.get()
    expect(last).toBe(500)
    expect(last - first + 1).toBeLessThanOrEqual(120)
    expect([line(500)?.text, line(first)?.text, line(first - 1)]).toEqual(['line 500', `line ${first}`, undefined])
    vi.useRealTimers()
  })

  test('renders a burst once', () => {
    vi.useFakeTimers()
    const log = streamLog(100)
    const drawn = vi.fn()
    log.subscribe(drawn)
    for (let at = 0; at < 1000; at += 1) log.append([{ text: 'x' }])
    vi.advanceTimersByTime(50)
    expect(drawn).toHaveBeenCalledOnce()
    vi.useRealTimers()
  })

  test('is searched in its loaded lines, ignoring colours', () => {
    vi.useFakeTimers()
    const log = streamLog(100)
    log.append([{ text: 'ok' }, { text: `FA${esc}[31mIL` }, { text: 'fail again' }])
    vi.advanceTimersByTime(50)
    expect(searchFeed(log.get(), 'fail')).toEqual([2, 3])
    vi.useRealTimers()
  })
})
