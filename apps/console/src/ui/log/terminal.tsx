import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Terminal as Xterm, type ITheme } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Button } from '../button.tsx'
import { FullScreenButton } from '../pane/full-screen.tsx'
import { dark, light, type Palette } from '../theme/palette.ts'
import { useDark } from '../theme/dark.ts'
import './terminal.css'

/** One connection to a program: input, output, and its end. */
export interface TerminalLine {
  send: (data: string) => void
  resize: (columns: number, rows: number) => void
  close: () => void
}

export interface TerminalHears {
  output: (data: Uint8Array | string) => void
  /** The program ended, or the connection did. */
  ended: (message: string) => void
}

export interface TerminalProps {
  /** Opens a new connection; called again on reconnect. `socketTerminal` creates one from a websocket. */
  connect: (hears: TerminalHears, size: { columns: number; rows: number }) => Promise<TerminalLine>
  /** The label for screen readers: what it is connected to. */
  name: string
}

/** Pasted text can contain keys: ESC and other controls are removed, except tabs and line ends. */
export const cleanPaste = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are the characters that are looked for
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')

const themeOf = (p: Palette): ITheme => ({
  background: p.sunken,
  foreground: p.text,
  cursor: p.accent,
  cursorAccent: p.sunken,
  selectionBackground: `${p.accent}44`,
  black: p.idle,
  red: p.bad,
  green: p.ok,
  yellow: p.warn,
  blue: p.info,
  magenta: p === dark ? '#e39be0' : '#8b2f86',
  cyan: p.accent,
  white: p.text2,
  brightBlack: p.text3,
  brightRed: p.bad,
  brightGreen: p.ok,
  brightYellow: p.warn,
  brightBlue: p.info,
  brightMagenta: p === dark ? '#e39be0' : '#8b2f86',
  brightCyan: p.accent,
  brightWhite: p.text,
})

/** A terminal: resizes with its box, has a search and full screen; when the connection ends, Enter opens another. */
export function Terminal({ connect, name }: TerminalProps) {
  const place = useRef<HTMLDivElement>(null)
  const whole = useRef<HTMLDivElement>(null)
  const isDark = useDark()
  const opener = useRef(connect)
  const parts = useRef<{
    search: SearchAddon
    start: () => void
    focus: () => void
    paste: (text: string) => void
    paint: (theme: ITheme) => void
  }>(undefined)
  const [ended, setEnded] = useState(false)
  useEffect(() => {
    opener.current = connect
  })

  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const mono = getComputedStyle(document.documentElement).getPropertyValue('--g-mono')
    const term = new Xterm({
      fontFamily: 'monospace',
      fontSize: 13,
      scrollback: 10_000,
      cursorBlink: false,
      allowProposedApi: true,
      screenReaderMode: true,
    })
    const fit = new FitAddon()
    const search = new SearchAddon()
    term.loadAddon(fit)
    term.loadAddon(search)
    term.open(element)
    // A program must not write to the clipboard.
    term.parser.registerOscHandler(52, () => true)

    let line: TerminalLine | undefined
    // Input before the connection is open is sent as soon as it is.
    let early = ''
    let round = 0
    let gone = false
    let over = true
    const say = (text: string) => term.write(`\r\n\u001b[2m${text}\u001b[0m\r\n`)
    const start = () => {
      const mine = ++round
      over = false
      setEnded(false)
      line?.close()
      line = undefined
      early = ''
      fit.fit()
      const stop = (message: string) => {
        if (gone || mine !== round || over) return
        over = true
        setEnded(true)
        if (message !== '') say(message)
        say(t('ui-terminal-ended'))
      }
      const hears: TerminalHears = {
        output: (data) => {
          if (mine === round && !gone) term.write(data)
        },
        ended: stop,
      }
      say(t('ui-terminal-connecting'))
      opener.current(hears, { columns: term.cols, rows: term.rows }).then(
        (made) => {
          if (gone || mine !== round) return made.close()
          line = made
          made.resize(term.cols, term.rows)
          if (early !== '') made.send(early)
          early = ''
          return undefined
        },
        (error: unknown) => stop(wordsOf(error)),
      )
    }
    term.onData((data) => {
      if (over) {
        if (data === '\r') start()
      } else if (line) line.send(data)
      else early += data
    })
    term.onResize(({ cols, rows }) => line?.resize(cols, rows))
    // The terminal takes every key, even Tab: Tab after Escape leaves it, as in the editor.
    let escaped = false
    term.attachCustomKeyEventHandler((event) => {
      if (event.type !== 'keydown' || event.key === 'Shift') return true
      const leaves = escaped && event.key === 'Tab'
      escaped = event.key === 'Escape'
      return !leaves
    })
    const paste = (text: string) => term.paste(cleanPaste(text))
    const paint = (theme: ITheme) => {
      term.options.theme = theme
    }
    const onPaste = (event: ClipboardEvent) => {
      event.preventDefault()
      event.stopPropagation()
      paste(event.clipboardData?.getData('text/plain') ?? '')
    }
    element.addEventListener('paste', onPaste, true)
    // Characters must be measured after the font has loaded; otherwise they would be too close or too far apart.
    void document.fonts.load(`13px ${mono}`).then(() => {
      if (gone) return
      term.options.fontFamily = mono
      fit.fit()
    })
    const watcher = new ResizeObserver(() => fit.fit())
    watcher.observe(element)
    parts.current = { search, start, focus: () => term.focus(), paste, paint }
    start()
    return () => {
      gone = true
      watcher.disconnect()
      element.removeEventListener('paste', onPaste, true)
      line?.close()
      term.dispose()
    }
  }, [])

  useEffect(() => {
    parts.current?.paint(themeOf(isDark ? dark : light))
  }, [isDark])

  return (
    <div className="g-terminal g-full" ref={whole}>
      <div className="g-bar">
        <Input
          className="g-search"
          type="search"
          placeholder={t('ui-terminal-search')}
          aria-label={t('ui-terminal-search')}
          onChange={(event) => parts.current?.search.findNext(event.target.value, { incremental: true })}
          onPressEnter={(event) => {
            const text = event.currentTarget.value
            if (event.shiftKey) parts.current?.search.findPrevious(text)
            else parts.current?.search.findNext(text)
          }}
        />
        <span className="g-bar-end g-row">
          {ended && (
            <Button small icon="refresh" onClick={() => parts.current?.start()}>
              {t('ui-terminal-reconnect')}
            </Button>
          )}
          <FullScreenButton whole={whole} focus={() => parts.current?.focus()} />
        </span>
      </div>
      <div className="g-pane g-terminal-box" ref={place} role="group" aria-label={name} />
      <p className="g-faint g-terminal-leave">{t('ui-terminal-leave')}</p>
    </div>
  )
}
